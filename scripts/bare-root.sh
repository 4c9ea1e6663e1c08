# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A bare Debian of another release in a folder, to test with the LLVM that it has. Sourced after common.sh, not run.
# Root is needed: the folder is made by debootstrap, and entered by chroot in a mount namespace of its own, so that no mount
# outlives the command. Of this machine it sees the checkout and the CUDA toolkit, both read-only.

GPUPROF_ROOTS=${GPUPROF_ROOTS:-/var/cache/gpuprof-roots}

# The release of Debian that has an LLVM major, or nothing.
suite_with_llvm() {
  case $1 in
    16) echo bookworm ;;
    17|18|21) echo trixie ;;
    19|22) echo "bookworm or trixie" ;;
  esac
}

# check_root_option SUITE BUILD_DIR: whether --root can be done at all.
check_root_option() {
  case $1 in ''|*[!a-z]*) die "--root takes a release of Debian by its name, as in --root trixie, not '$1'." 2 ;; esac
  [ -z "$2" ] || die "--build and --root do not go together: a bare root has its own build folders; leave out one of them." 2
  [ "$(id -u)" = 0 ] || die "--root needs root, to make a bare system and enter it: run it by sudo, or without --root." 3
  unshare --mount true 2>/dev/null || die "--root cannot mount here (an unprivileged container?): run it on a machine where root may mount, or without --root." 3
}

# make_root SUITE: makes $GPUPROF_ROOTS/SUITE where it is not there yet. The mark is written last: what was cut short is made anew.
make_root() {
  local suite=$1 root=$GPUPROF_ROOTS/$1
  [ ! -e "$root/.gpuprof-root" ] || return 0
  [ "$install" = yes ] || die "there is no bare $suite in $root yet: run without --no-install, which makes it." 3
  package_installed debootstrap || command -v debootstrap >/dev/null || install_packages debootstrap
  step "making a bare $suite in $root"
  rm -rf "$root"
  mkdir -p "$root"
  debootstrap --variant=minbase --include=ca-certificates "$suite" "$root" http://deb.debian.org/debian >"$root.log" 2>&1 ||
    { tail -5 "$root.log" >&2; die "debootstrap could not make $suite: the lines above say why, and the whole log is $root.log; give a release of Debian, as in --root trixie." 3; }
  # A backport is installed only where the release itself has no such package.
  printf 'deb http://deb.debian.org/debian %s main\n' "$suite" "$suite-updates" "$suite-backports" >"$root/etc/apt/sources.list"
  printf 'deb http://deb.debian.org/debian-security %s-security main\n' "$suite" >>"$root/etc/apt/sources.list"
  touch "$root/.gpuprof-root"
}

# in_root SUITE COMMAND ...: runs a command of the checkout, by its absolute path, in the bare root.
in_root() {
  local suite=$1 root=$GPUPROF_ROOTS/$1 folder; shift
  cp -L /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || :
  mkdir -p "$root$project"
  [ -z "$cuda" ] || mkdir -p "$root$cuda"
  # shellcheck disable=SC2016 # expanded by the inner shell
  unshare --mount --propagation private bash -euc '
    root=$1 project=$2 cuda=$3; shift 3
    for folder in proc dev sys; do mount --rbind "/$folder" "$root/$folder"; done
    for folder in "$project" ${cuda:+"$cuda"}; do
      mount --bind "$folder" "$root$folder"
      mount -o remount,bind,ro "$root$folder"
    done
    exec chroot "$root" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
      CUDA_PATH="$cuda" ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} "$@"
  ' bash "$root" "$project" "$cuda" "$@"
}
