# One static library a room, from src/rooms.txt: its files are the room's folder, its includes the
# project root of src/. A unit test links its own room only, so an undeclared call does not link.
file(STRINGS ${CMAKE_SOURCE_DIR}/src/rooms.txt room_lines REGEX "^[a-z]+:")
set(ROWMAX_ROOMS)
foreach(line IN LISTS room_lines)
  string(REGEX MATCH "^[a-z]+" room "${line}")
  string(REGEX REPLACE "^[a-z]+: *" "" allowed "${line}")
  separate_arguments(allowed)
  list(TRANSFORM allowed PREPEND room_)
  list(APPEND ROWMAX_ROOMS ${room})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${room}/*.c)
  if(sources)
    add_library(room_${room} STATIC ${sources})
    set(visibility PUBLIC)
    target_link_libraries(room_${room} PRIVATE rowmax_options)
  else()
    add_library(room_${room} INTERFACE)
    set(visibility INTERFACE)
  endif()
  target_include_directories(room_${room} ${visibility} ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(room_${room} ${visibility} ${allowed} ${ROOM_LIBRARIES_${room}})
endforeach()
# Where data_folder.c finds what is installed: from the program, and else under the prefix of this build.
include(GNUInstallDirs)
file(RELATIVE_PATH data_from_program ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DATADIR}/rowmax)
target_compile_definitions(room_base PUBLIC ROWMAX_DATA_FOLDER="${CMAKE_INSTALL_FULL_DATADIR}/rowmax"
  ROWMAX_DATA_FROM_PROGRAM="${data_from_program}")
# Where most of the time goes a * b + c may be fused. Sums have one order each there, and no addition has two products, so
# that contraction is no choice of the compiler's.
set(fused -ffp-contract=fast)
set_source_files_properties(${CMAKE_SOURCE_DIR}/src/attention/softmax.c ${CMAKE_SOURCE_DIR}/src/attention/softmax_stream.c
  PROPERTIES COMPILE_OPTIONS ${fused})
# Without optimisation the tiles of product.c would not stay in registers, and tests under sanitizers take minutes. Unrolled
# they would take a minute to compile with the checks of undefined behaviour in each; those of addresses stay.
if(ROWMAX_SANITIZE)
  set(unchecked ";-fno-sanitize=undefined")
endif()
set_source_files_properties(${CMAKE_SOURCE_DIR}/src/numeric/product.c PROPERTIES
  COMPILE_OPTIONS "${fused};$<$<CONFIG:Debug>:-O2>${unchecked}")
