# libstdc++ 12 uses what C++17 deprecated inside std::stable_sort, hence -Wno-deprecated-declarations.
# strata_module(FOLDER DEPS target..): one static library a folder, named after its path (engine/fx -> strata_engine_fx).
# Its sources are the folder's *.cpp and *.c files; links are private but for the include root, so that a folder
# can only use what it names here.
function(strata_module folder)
  cmake_parse_arguments(ARG "" "" "DEPS;PRIVATE_DEPS" ${ARGN})
  string(REPLACE "/" "_" name ${folder})
  set(target strata_${name})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.cpp ${CMAKE_SOURCE_DIR}/${folder}/*.c
       ${CMAKE_SOURCE_DIR}/${folder}/*.h)
  set(compiled ${sources})
  list(FILTER compiled INCLUDE REGEX "\\.(cpp|c)$")
  if(compiled)
    add_library(${target} STATIC ${sources})
    target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR})
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wno-missing-field-initializers -Wno-deprecated-declarations -Werror)
    target_link_libraries(${target} PUBLIC ${ARG_DEPS} PRIVATE ${ARG_PRIVATE_DEPS})
  else()
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE ${CMAKE_SOURCE_DIR})
    target_link_libraries(${target} INTERFACE ${ARG_DEPS})
  endif()
endfunction()
