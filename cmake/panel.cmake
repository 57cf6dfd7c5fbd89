# The page, style and scripts of the panel (src/report/panel/) as bytes in a source that room_report is linked with.
# Included by CMakeLists.txt it says how that source is made; run as a script
# (cmake -DFOLDER=... -DOUT=... -P panel.cmake) it makes it.
set(panel_files panel.html panel.css model.js charts.js matrix.js lesson.js panel.js)
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(panel_source ${CMAKE_BINARY_DIR}/generated/panel_template.c)
  set(panel_folder ${CMAKE_SOURCE_DIR}/src/report/panel)
  list(TRANSFORM panel_files PREPEND ${panel_folder}/ OUTPUT_VARIABLE panel_inputs)
  add_custom_command(OUTPUT ${panel_source}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${panel_folder} -DOUT=${panel_source} -P ${CMAKE_CURRENT_LIST_FILE}
    DEPENDS ${panel_inputs} ${CMAKE_CURRENT_LIST_FILE} VERBATIM)
  target_sources(room_report PRIVATE ${panel_source})
  return()
endif()

# The bytes of a text as a constant of C.
function(append_constant name text)
  string(HEX "${text}" bytes)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes "${bytes}")
  string(APPEND source "const unsigned char ${name}[] = {\n${bytes}0};\n")
  set(source "${source}" PARENT_SCOPE)
endfunction()

set(source "/* SPDX-License-Identifier: MIT */
/* Written by cmake/panel.cmake from src/report/panel/. */
#include \"report/panel_template.h\"

")
set(script "")
foreach(name IN LISTS panel_files)
  file(READ ${FOLDER}/${name} text)
  if(NOT name MATCHES "html$" AND text MATCHES "</(script|style)|<!--|\r")
    message(FATAL_ERROR "${name}: '${CMAKE_MATCH_0}' would end the element that holds the text, or change it")
  endif()
  if(name MATCHES "js$")
    string(APPEND script "${text}\n")
  elseif(name MATCHES "css$")
    append_constant(panel_style "${text}")
  else()
    append_constant(panel_page "${text}")
  endif()
endforeach()
append_constant(panel_script "(function () {\n\"use strict\";\n${script}}());\n")
file(WRITE ${OUT} "${source}")
