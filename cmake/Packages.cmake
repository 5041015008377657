# The packages that more than one folder needs, found where the distribution put them.

# Another Python may stand first on PATH, with the same SONAME: ask for the distribution's by prefix, and check.
set(Python3_ROOT_DIR /usr)
set(Python3_FIND_STRATEGY LOCATION)
set(Python3_FIND_VIRTUALENV STANDARD)
set(Python3_EXECUTABLE /usr/bin/python3.11)
find_package(Python3 3.11 EXACT REQUIRED COMPONENTS Interpreter Development.Embed)
foreach(found ${Python3_INCLUDE_DIRS} ${Python3_LIBRARIES} ${Python3_EXECUTABLE})
  if(NOT found MATCHES "^/usr/(include|lib|bin)/")
    message(FATAL_ERROR "CPython was found at ${found}; Strata embeds the distribution's (apt install python3.11-dev).")
  endif()
endforeach()

find_path(OPENBLAS_INCLUDE cblas.h PATH_SUFFIXES openblas-openmp x86_64-linux-gnu/openblas-openmp aarch64-linux-gnu/openblas-openmp
          PATHS /usr/include REQUIRED)
find_library(OPENBLAS_LIBRARY openblas PATH_SUFFIXES openblas-openmp REQUIRED)
