# Installation rules, the CMake package and the pkg-config file.
include(CMakePackageConfigHelpers)

install(TARGETS gpuprof-communication LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS gpuprof EXPORT gpuprofTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(GPUPROF_CPU_DEVICE) # beside libgpuprof, which opens it from there
  install(TARGETS gpuprof-cpu LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(TARGETS gpuprof-stub-driver LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/gpuprof)
endif()
install(TARGETS gpuprof-tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${PROJECT_BINARY_DIR}/lib/gpuprof/local-calls.o DESTINATION ${CMAKE_INSTALL_LIBDIR}/gpuprof)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/python DESTINATION ${CMAKE_INSTALL_LIBDIR}/gpuprof PATTERN __pycache__ EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/include/gpuprof.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/cpu-device/headers/ DESTINATION ${CMAKE_INSTALL_LIBDIR}/gpuprof/minicuda)
install(FILES ${PROJECT_SOURCE_DIR}/docs/roofline.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/gpuprof)
# Side by side, as in the source tree: the samples include the kernels. So are the pages, whose links stay right.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/kernels ${PROJECT_SOURCE_DIR}/samples DESTINATION ${CMAKE_INSTALL_DATADIR}/gpuprof)
foreach(page LICENSE README.md CHANGELOG.md CONTRIBUTING.md cpu-device/README.md)
  get_filename_component(folder ${page} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/${page} DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder})
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
foreach(folder kernels samples) # pages link to them
  file(RELATIVE_PATH target ${CMAKE_INSTALL_FULL_DOCDIR} ${CMAKE_INSTALL_FULL_DATADIR}/gpuprof/${folder})
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/installed)
  file(CREATE_LINK ${target} ${PROJECT_BINARY_DIR}/installed/${folder} SYMBOLIC)
  install(FILES ${PROJECT_BINARY_DIR}/installed/${folder} DESTINATION ${CMAKE_INSTALL_DOCDIR})
endforeach()
if(GPUPROF_BUILD_PLUGIN)
  install(TARGETS gpuprof-plugin LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/gpuprof)
endif()

install(EXPORT gpuprofTargets NAMESPACE gpuprof:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gpuprof)
# gpuprof_package(FILE INSTRUMENT MINICUDA BINDIR LIBDIR ...): the package for a prefix with these files and folders.
function(gpuprof_package file instrument minicuda bindir libdir)
  set(gpuprof_instrument_file "${instrument}")
  set(gpuprof_package_minicuda "${minicuda}")
  set(gpuprof_package_bindir ${bindir})
  set(gpuprof_package_libdir ${libdir})
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/gpuprofConfig.cmake.in ${file} ${ARGN})
endfunction()
gpuprof_package(${PROJECT_BINARY_DIR}/installed/gpuprofConfig.cmake [[${CMAKE_CURRENT_LIST_DIR}/GpuprofInstrument.cmake]]
  "\${PACKAGE_PREFIX_DIR}/${CMAKE_INSTALL_LIBDIR}/gpuprof/minicuda" ${CMAKE_INSTALL_BINDIR} ${CMAKE_INSTALL_LIBDIR} INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gpuprof)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gpuprofConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/installed/gpuprofConfig.cmake ${PROJECT_BINARY_DIR}/gpuprofConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/GpuprofInstrument.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gpuprof)
# The build folder serves as a package too: -Dgpuprof_DIR=build.
gpuprof_package(${PROJECT_BINARY_DIR}/gpuprofConfig.cmake ${PROJECT_SOURCE_DIR}/cmake/GpuprofInstrument.cmake
  ${PROJECT_SOURCE_DIR}/cpu-device/headers bin lib INSTALL_PREFIX ${PROJECT_BINARY_DIR} INSTALL_DESTINATION ${PROJECT_BINARY_DIR})
export(EXPORT gpuprofTargets NAMESPACE gpuprof:: FILE ${PROJECT_BINARY_DIR}/gpuprofTargets.cmake)

# The prefix is where the file lies, so that a folder that was moved or staged is right as well.
file(RELATIVE_PATH gpuprof_pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${PROJECT_SOURCE_DIR}/cmake/gpuprof.pc.in ${PROJECT_BINARY_DIR}/gpuprof.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/gpuprof.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
