# Run by cpack over the staged files: what Debian's policy asks for beyond an installation.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
set(usr ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr)
set(doc ${usr}/share/doc/gpuprof)
string(TIMESTAMP gpuprof_date "%a, %d %b %Y %H:%M:%S +0000" UTC) # SOURCE_DATE_EPOCH where it is set
file(READ ${CPACK_GPUPROF_SOURCE}/LICENSE gpuprof_exceptions)
string(REGEX REPLACE "^.*---- LLVM Exceptions[^\n]*\n+" "" gpuprof_exceptions "${gpuprof_exceptions}")
string(STRIP "${gpuprof_exceptions}" gpuprof_exceptions)
string(REGEX REPLACE "\n\n" "\n.\n" gpuprof_exceptions " ${gpuprof_exceptions}")
string(REGEX REPLACE "\n" "\n " gpuprof_exceptions "${gpuprof_exceptions}")
configure_file(${CPACK_GPUPROF_SOURCE}/cmake/package/changelog.in ${doc}/changelog @ONLY)
configure_file(${CPACK_GPUPROF_SOURCE}/cmake/package/copyright.in ${doc}/copyright @ONLY)
file(REMOVE ${doc}/LICENSE) # in copyright
file(GLOB manuals ${usr}/share/man/man*/*.[17])
execute_process(COMMAND gzip -9n ${doc}/changelog ${manuals} COMMAND_ERROR_IS_FATAL ANY)
file(MAKE_DIRECTORY ${usr}/share/lintian/overrides)
file(COPY_FILE ${CPACK_GPUPROF_SOURCE}/cmake/package/lintian-overrides ${usr}/share/lintian/overrides/gpuprof)
file(MAKE_DIRECTORY ${usr}/share/zsh/vendor-completions)
file(RENAME ${usr}/share/zsh/site-functions/_gpuprof ${usr}/share/zsh/vendor-completions/_gpuprof)
file(REMOVE_RECURSE ${usr}/share/zsh/site-functions)
file(MAKE_DIRECTORY ${usr}/lib/python3/dist-packages) # where the system's Python imports from
# Below lib, or below lib/TRIPLET where gpuprof is configured for the prefix /usr.
file(GLOB python RELATIVE ${usr}/lib ${usr}/lib/gpuprof/python/gpuprof ${usr}/lib/*/gpuprof/python/gpuprof)
file(CREATE_LINK ../../${python} ${usr}/lib/python3/dist-packages/gpuprof SYMBOLIC)
