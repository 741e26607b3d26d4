# test_program(NAME [ENVIRONMENT TEXT] SOURCE …): a program of gtest and rapidcheck tests. RC_PARAMS in the
# environment of the program itself tries other cases than ctest's.
#
# Such files are nearly all templates of the two libraries, run once: to optimise them costs more than it
# gains (12 s a file instead of 2), so they are not. A program whose tests compute a lot says OPTIMISED.
find_package(GTest REQUIRED)
find_package(rapidcheck REQUIRED)
include(${CMAKE_CURRENT_LIST_DIR}/run_program.cmake)

# The two libraries' headers are read once. The product's are not among them: each of its files is also
# compiled without (preset sim and the boards), so it must include what it needs.
if(NOT TARGET test_headers)
  add_library(test_headers STATIC ${CMAKE_CURRENT_LIST_DIR}/test_headers.cpp)
  target_compile_features(test_headers PRIVATE cxx_std_20)
  target_link_libraries(test_headers PRIVATE GTest::gtest_main rapidcheck)
  target_compile_options(test_headers PRIVATE -O0)
  target_precompile_headers(test_headers PRIVATE <gtest/gtest.h> <rapidcheck.h> <rapidcheck/gtest.h>)
endif()

# compile_together(TARGET SOURCE …): these sources of a target as one, so that what each of them would make of the
# libraries' templates is made once. Names in their anonymous namespaces must differ.
function(compile_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  list(GET ARGN 0 first)
  set_source_files_properties(${ARGN} PROPERTIES UNITY_GROUP ${first})
endfunction()

function(test_program name)
  cmake_parse_arguments(PARSE_ARGV 1 test "OPTIMISED" "ENVIRONMENT" "")
  add_executable(${name} ${test_UNPARSED_ARGUMENTS})
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_compile_options(${name} PRIVATE -Wall -Wextra -Werror)
  if(NOT test_OPTIMISED)
    target_compile_options(${name} PRIVATE -O0)
    target_precompile_headers(${name} REUSE_FROM test_headers)
  endif()
  target_link_libraries(${name} PRIVATE GTest::gtest_main rapidcheck)
  run_program(${name} ENVIRONMENT "${test_ENVIRONMENT}")
endfunction()
