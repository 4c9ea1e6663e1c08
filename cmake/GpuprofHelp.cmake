# Manual pages and completion for shells, written by the command itself from the tables that it parses by.
set(gpuprof_help ${PROJECT_BINARY_DIR}/help)
add_custom_command(OUTPUT ${gpuprof_help}/written
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${gpuprof_help}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${gpuprof_help}/man
  COMMAND gpuprof-tool help --man=${gpuprof_help}/man
  COMMAND gpuprof-tool help --completion=bash > ${gpuprof_help}/gpuprof
  COMMAND gpuprof-tool help --completion=zsh > ${gpuprof_help}/_gpuprof
  COMMAND gpuprof-tool help --completion=fish > ${gpuprof_help}/gpuprof.fish
  COMMAND ${CMAKE_COMMAND} -E touch ${gpuprof_help}/written
  DEPENDS gpuprof-tool COMMENT "Writing manual pages and completion" VERBATIM)
add_custom_target(gpuprof-help ALL DEPENDS ${gpuprof_help}/written)

install(DIRECTORY ${gpuprof_help}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN *.1)
install(DIRECTORY ${gpuprof_help}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man7 FILES_MATCHING PATTERN *.7)
install(FILES ${gpuprof_help}/gpuprof DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${gpuprof_help}/_gpuprof DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${gpuprof_help}/gpuprof.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
