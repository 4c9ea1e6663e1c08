# `cpack -G DEB` in the build folder: one package with everything, for the Debian or Ubuntu that it is built on, since the
# plugin belongs to one LLVM major.
set(CPACK_GENERATOR DEB CACHE STRING "What cpack makes")
set(CPACK_PACKAGE_NAME gpuprof)
set(CPACK_PACKAGE_VENDOR gpuprof)
set(CPACK_PACKAGE_CONTACT "gpuprof developers <gpuprof@localhost>" CACHE STRING "Maintainer of the package")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "exact FLOP and byte counts and rooflines for CUDA programs")
set(CPACK_PACKAGE_DESCRIPTION "A Clang plugin, a runtime and a command that count the arithmetic and memory
traffic of CUDA kernels exactly, for each piece of code that a pragma names.
Programs run on a GPU, or without one on an embedded CPU device with the same
counts.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_VERBATIM_VARIABLES ON)

set(gpuprof_control prerm shlibs triggers)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON) # the C and C++ libraries
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
if(GPUPROF_BUILD_PLUGIN)
  # The compiler that loads the plugin; clang-linker-wrapper for -fgpu-rdc; libclang for scan.
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-${LLVM_VERSION_MAJOR}, libclang1-${LLVM_VERSION_MAJOR}")
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "clang-tools-${LLVM_VERSION_MAJOR}, libcairo2")
else()
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libcairo2")
endif()
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "nvidia-cuda-toolkit, cmake, pkg-config, python3")
list(TRANSFORM gpuprof_control PREPEND ${PROJECT_SOURCE_DIR}/cmake/package/)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${gpuprof_control})
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/package/finish-debian.cmake)
set(CPACK_GPUPROF_SOURCE ${PROJECT_SOURCE_DIR})
include(CPack)
