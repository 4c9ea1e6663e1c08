# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Shared by the scripts beside it: what to install, where the compiler and a CUDA toolkit are.
# Sourced, not run. Every failure is one sentence on stderr that says what to do.

GPUPROF_LLVM_MIN=16 GPUPROF_LLVM_MAX=22 GPUPROF_CUDA_MIN=11.8 GPUPROF_CUDA_MAX=13
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=$(basename "$0")
export -n GPUPROF_LLVM GPUPROF_PROGRESS_SECONDS # of the scripts: programs would warn of settings that do not exist

say() { printf '%s: %s\n' "$program" "$*" >&2; }
die() { say "$1"; exit "${2:-1}"; }
step() { printf '\n== %s (%d s)\n' "$*" "$SECONDS"; }

# The majors that this system's packages offer, best first: 22 is the default, then newest first.
offered_llvm() {
  local major
  for major in 22 21 20 19 18 17 16; do
    if package_known "clang-$major"; then echo "$major"; return; fi
  done
}

installed_llvm() {
  local major
  for major in ${GPUPROF_LLVM:-22 21 20 19 18 17 16}; do
    if [ -x "/usr/lib/llvm-$major/bin/clang++" ] && [ -e "/usr/lib/llvm-$major/lib/cmake/clang/ClangConfig.cmake" ] &&
       [ -e "/usr/lib/llvm-$major/lib/cmake/llvm/LLVMConfig.cmake" ]; then
      echo "$major"; return
    fi
  done
}

package_known() { [ -n "$(apt-cache show "$1" 2>/dev/null)" ]; }
package_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

check_llvm_choice() {
  [ -n "${GPUPROF_LLVM:-}" ] || return 0
  case $GPUPROF_LLVM in
    *[!0-9]*) die "GPUPROF_LLVM=$GPUPROF_LLVM is no LLVM major: give a number from $GPUPROF_LLVM_MIN to $GPUPROF_LLVM_MAX, or unset it." 2 ;;
  esac
  if [ "$GPUPROF_LLVM" -lt $GPUPROF_LLVM_MIN ] || [ "$GPUPROF_LLVM" -gt $GPUPROF_LLVM_MAX ]; then
    die "GPUPROF_LLVM=$GPUPROF_LLVM is outside the supported range $GPUPROF_LLVM_MIN to $GPUPROF_LLVM_MAX: set it to one of those, or unset it." 2
  fi
}

# packages MAJOR for_tests: the Debian and Ubuntu packages that are needed, one a line.
packages() {
  local major=$1
  # An LLVM that was installed by hand where the packages would put it serves as well.
  [ "$(GPUPROF_LLVM=$major installed_llvm)" = "$major" ] || printf '%s\n' "clang-$major" "llvm-$major-dev" "libclang-$major-dev"
  printf '%s\n' cmake ninja-build pkg-config libcairo2-dev # pictures as PNG and PDF
  if [ "$2" = yes ]; then
    printf '%s\n' python3 libcmocka-dev make gdb locales # sources of locales: lit.run/hostile-surroundings
    lit_installed || echo "llvm-$major-tools"
    # AddressSanitizer's library, then clang-linker-wrapper, for -fgpu-rdc; an LLVM that was installed by hand has it or does without.
    if ! compgen -G "/usr/lib/llvm-$major/lib/clang/*/lib/*/libclang_rt.asan*.a" >/dev/null; then
      if package_installed "clang-$major" || [ ! -x "/usr/lib/llvm-$major/bin/clang" ]; then echo "libclang-rt-$major-dev"; fi
    fi
    if [ ! -x "/usr/lib/llvm-$major/bin/clang-linker-wrapper" ]; then
      if package_installed "clang-$major" || [ ! -x "/usr/lib/llvm-$major/bin/clang" ]; then echo "clang-tools-$major"; fi
    fi
  fi
}

# lit and FileCheck of any major serve all of them.
lit_installed() {
  local major=$GPUPROF_LLVM_MAX
  for ((; major >= GPUPROF_LLVM_MIN; major--)); do
    if package_installed "llvm-$major-tools" || [ -x "/usr/lib/llvm-$major/bin/FileCheck" ]; then return; fi
  done
  return 1
}

# need for_tests: installs what is missing; with --no-install says what is missing and stops.
need() {
  local for_tests=$1 major missing=() name
  check_llvm_choice
  major=$(installed_llvm)
  if ! command -v apt-get >/dev/null; then
    [ -n "$major" ] && command -v cmake >/dev/null && command -v ninja >/dev/null && return 0
    die "this system has no apt-get: install the counterparts of these Debian packages, then run again: $(packages "${GPUPROF_LLVM:-22}" "$for_tests" | tr '\n' ' ')" 3
  fi
  if [ -z "$major" ]; then
    # A fresh system's lists may know less than the archive offers, so they are updated before choosing.
    [ "$install" = no ] || update_lists
    major=${GPUPROF_LLVM:-$(offered_llvm)}
    major=${major:-22}
  fi
  for name in $(packages "$major" "$for_tests"); do
    package_installed "$name" || missing+=("$name")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$install" = no ]; then
    die "missing packages: ${missing[*]} (install them, or run without --no-install)" 3
  fi
  install_packages "${missing[@]}"
}

install_packages() {
  local log status=0
  step "installing $*"
  update_lists
  log=$(mktemp)
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" >"$log" 2>&1 || status=$?
  [ $status = 0 ] || tail -5 "$log" >&2
  rm -f "$log"
  [ $status = 0 ] || die "the packages could not be installed: see the lines above, install $* by hand, then run again." 3
}

lists_updated=no
update_lists() {
  [ $lists_updated = no ] || return 0
  lists_updated=yes
  as_root apt-get update -q >/dev/null 2>&1 || say "the package lists could not be updated; going on with the old ones."
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else die "installing needs root: run as root, or install sudo, or install the packages by hand (--no-install lists them)." 3
  fi
}

# Prints the prefix of a CUDA toolkit, or nothing.
find_cuda() {
  local prefix nvcc
  for prefix in "${CUDA_PATH:-}" "${CUDA_HOME:-}"; do
    [ -n "$prefix" ] || continue
    [ -e "$prefix/include/cuda.h" ] || die "no CUDA toolkit in $prefix (CUDA_PATH or CUDA_HOME): correct the variable, or unset it." 2
    echo "$prefix"; return
  done
  if nvcc=$(command -v nvcc); then
    prefix=$(cd "$(dirname "$(readlink -f "$nvcc")")/.." && pwd)
    if [ -e "$prefix/include/cuda.h" ]; then echo "$prefix"; return; fi
  fi
  for prefix in /usr/local/cuda /usr/local/cuda-13* /usr/local/cuda-12* /usr/local/cuda-11.8 /opt/cuda /usr/lib/cuda; do
    if [ -e "$prefix/include/cuda.h" ]; then echo "$prefix"; return; fi
  done
}

# Sets cuda (prefix or empty; empty too with --no-cuda) and refuses toolkits that are known not to work.
choose_cuda() {
  local number
  cuda=
  [ "$use_cuda" = yes ] || return 0
  cuda=$(find_cuda) || exit $?
  if [ -z "$cuda" ]; then
    say "no CUDA toolkit found (CUDA_PATH, CUDA_HOME, PATH, the usual prefixes): going on with the CPU device and gpuprof's own CUDA header."
    return
  fi
  number=$(sed -n 's/^#define CUDA_VERSION \([0-9]*\).*/\1/p' "$cuda/include/cuda.h" | head -1)
  if [ -z "$number" ]; then
    die "cannot read the version of the CUDA toolkit in $cuda: set CUDA_PATH to a toolkit from $GPUPROF_CUDA_MIN to $GPUPROF_CUDA_MAX." 2
  fi
  if [ "$number" -lt 11080 ]; then
    die "the CUDA toolkit in $cuda is $((number / 1000)).$((number % 1000 / 10)), older than $GPUPROF_CUDA_MIN: set CUDA_PATH to a newer one, or run with --no-cuda to use the CPU device alone." 2
  fi
  if [ "$number" -ge 14000 ]; then
    die "the CUDA toolkit in $cuda is $((number / 1000)).$((number % 1000 / 10)), newer than $GPUPROF_CUDA_MAX, which gpuprof does not know yet: set CUDA_PATH to a toolkit from $GPUPROF_CUDA_MIN to $GPUPROF_CUDA_MAX, or run with --no-cuda to use the CPU device alone." 2
  fi
  say "CUDA toolkit $((number / 1000)).$((number % 1000 / 10)) in $cuda"
}

# The generator that a build folder was configured for, or nothing.
generator_of() { sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$1/CMakeCache.txt" 2>/dev/null || :; }

build_folder() {
  case $(generator_of "$1") in
    ''|Ninja) ninja -C "$1" ;;
    *) cmake --build "$1" -j "$(nproc)" ;;
  esac
}

# build_with_progress BUILD_DIR LOG: where nobody sees ninja's own line, a line each ten seconds says how far it is (GPUPROF_PROGRESS_SECONDS).
build_with_progress() {
  local dir=$1 log=$2 every=${GPUPROF_PROGRESS_SECONDS:-10} builder seconds done_of
  build_folder "$dir" >>"$log" 2>&1 &
  builder=$!
  for ((seconds = 1; ; seconds++)); do
    sleep 1
    kill -0 "$builder" 2>/dev/null || break
    [ $((seconds % every)) = 0 ] || continue
    done_of=$(grep -o '^\[[0-9]*/[0-9]*\]' "$log" | tail -1 | tr -d '[]') || :
    [ -z "$done_of" ] || say "built ${done_of%/*} of ${done_of#*/} files, ${seconds} s"
  done
  wait "$builder"
}

# build_project BUILD_DIR [cmake options]: configures once, builds always; the log is shown only on failure.
build_project() {
  local dir=$1 major cached log status=0 generator; shift
  major=$(installed_llvm)
  [ -n "$major" ] || die "no Clang with its development files found: install clang-22, llvm-22-dev and libclang-22-dev (or another major from $GPUPROF_LLVM_MIN to $GPUPROF_LLVM_MAX)."
  # A folder that was configured keeps its LLVM, unless another is asked for or it is gone; then it is configured anew.
  cached=$(sed -n 's/^GPUPROF_LLVM:STRING=//p' "$dir/CMakeCache.txt" 2>/dev/null || :)
  if [ -z "${GPUPROF_LLVM:-}" ] && [ -n "$cached" ] && [ "$(GPUPROF_LLVM=$cached installed_llvm)" = "$cached" ]; then
    major=$cached
  fi
  [ -z "$cached" ] || [ "$cached" = "$major" ] || rm -rf "$dir/CMakeCache.txt" "$dir/CMakeFiles"
  mkdir -p "$dir" 2>/dev/null || die "cannot write the build folder $dir: run in a checkout you may write to."
  log=$dir/build.log
  : >"$log" || die "cannot write $log: run in a checkout you may write to."
  # One at a time in a folder; and a folder that is configured is left to ninja, which configures anew where it must.
  if command -v flock >/dev/null; then exec 9>"$dir/.lock"; flock 9; fi
  if [ ! -e "$dir/build.ninja" ] || [ ! -e "$dir/CMakeCache.txt" ] || [ $# -gt 0 ]; then
    generator=$(generator_of "$dir") # a folder that was configured by hand keeps it
    CC=/usr/lib/llvm-$major/bin/clang CXX=/usr/lib/llvm-$major/bin/clang++ \
      cmake -G "${generator:-Ninja}" -S "$project" -B "$dir" -DGPUPROF_LLVM="$major" "$@" >"$log" 2>&1 ||
      { tail -25 "$log" >&2; die "configuring failed: the lines above say why; the whole log is $log."; }
  fi
  if [ -t 1 ]; then build_folder "$dir" || status=$?
  else build_with_progress "$dir" "$log" || status=$?
  fi
  if [ $status != 0 ]; then tail -40 "$log" >&2; die "the build failed: the lines above say why; the whole log is $log."; fi
  exec 9>&-
}
