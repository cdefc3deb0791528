# SPDX-License-Identifier: Apache-2.0
# Manual pages and shell completion, made by the program itself from its table of commands. A program that cannot run
# here (a cross build without an emulator) makes none.
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  message(STATUS "cross build: no manual pages, no shell completion")
  return()
endif()

set(MANUAL ${PROJECT_BINARY_DIR}/manual)
set(MANUAL_FILES)
function(made_by_help file)
  get_filename_component(folder ${MANUAL}/${file} DIRECTORY)
  add_custom_command(OUTPUT ${MANUAL}/${file}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND opendve_program help ${ARGN} > ${MANUAL}/${file}
    DEPENDS opendve_program VERBATIM)
  set(MANUAL_FILES ${MANUAL_FILES} ${MANUAL}/${file} PARENT_SCOPE)
endfunction()

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/commands.def)
file(STRINGS ${PROJECT_SOURCE_DIR}/cli/commands.def ROWS REGEX "^COMMAND\\(")
made_by_help(man1/opendve.1 --man)
foreach(row ${ROWS})
  string(REGEX REPLACE "^COMMAND\\(([a-z]+),.*" "\\1" name "${row}")
  made_by_help(man1/opendve-${name}.1 --man ${name})
endforeach()
made_by_help(completion/opendve --completion bash)
made_by_help(completion/_opendve --completion zsh)
made_by_help(completion/opendve.fish --completion fish)
add_custom_target(opendve_manual ALL DEPENDS ${MANUAL_FILES})

install(DIRECTORY ${MANUAL}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES ${MANUAL}/completion/opendve DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${MANUAL}/completion/_opendve DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${MANUAL}/completion/opendve.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
