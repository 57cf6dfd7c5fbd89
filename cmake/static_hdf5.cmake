# rowmax_hdf5: HDF5 from its archives. Debian's shared library brings some 35 others that read files over a network (curl,
# LDAP, Kerberos, TLS): half of the time in which a program starts, and code for strangers' bytes that rowmax never
# needs. From the archive only what is used is linked, which is none of that. Where there is no archive, or it does not
# link without those, the shared one is taken.
option(ROWMAX_STATIC_HDF5 "Link HDF5 from its archives, where there are any" ON)
add_library(rowmax_hdf5 INTERFACE)
foreach(name hdf5_hl hdf5)
  get_filename_component(folder "${HDF5_C_LIBRARY_${name}}" DIRECTORY)
  find_library(HDF5_ARCHIVE_${name} NAMES lib${name}.a HINTS "${folder}" NO_DEFAULT_PATH)
  list(APPEND archives "${HDF5_ARCHIVE_${name}}")
endforeach()
if(HDF5_C_LIBRARY_sz)
  list(APPEND archives ${HDF5_C_LIBRARY_sz})
endif()
list(APPEND archives ZLIB::ZLIB m ${CMAKE_DL_LIBS})
if(ROWMAX_STATIC_HDF5 AND NOT archives MATCHES NOTFOUND)
  include(CheckCSourceCompiles)
  set(CMAKE_REQUIRED_INCLUDES ${HDF5_INCLUDE_DIRS})
  set(CMAKE_REQUIRED_LIBRARIES ${archives})
  check_c_source_compiles("#include <hdf5.h>
    #include <hdf5_hl.h>
    int main(void) { return H5open() + (int)H5DSget_num_scales(H5Fopen(\"\", 0, 0), 0); }" HDF5_ARCHIVES_LINK)
endif()
if(ROWMAX_STATIC_HDF5 AND HDF5_ARCHIVES_LINK)
  target_include_directories(rowmax_hdf5 SYSTEM INTERFACE ${HDF5_INCLUDE_DIRS})
  target_link_libraries(rowmax_hdf5 INTERFACE ${archives})
  # Whoever passes the program on passes HDF5 on, whose licence asks for its notice (install.cmake).
  find_file(HDF5_NOTICE copyright PATHS /usr/share/doc/libhdf5-dev NO_DEFAULT_PATH)
else()
  target_link_libraries(rowmax_hdf5 INTERFACE hdf5::hdf5_hl hdf5::hdf5)
endif()
