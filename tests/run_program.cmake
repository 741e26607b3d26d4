# run_program(NAME [PARTS N] [ENVIRONMENT TEXT] [TIMEOUT SECONDS]): a program of gtest's, all of its tests in one
# process, with the program's name as ctest's label. A failed test is named by the program's own output.
#
# A process for each test would mostly start: under AddressSanitizer that takes 35 ms, and most tests take less.
# PARTS: a program with long tests is run so many times, each time with a share of them, for several processors.
function(run_program name)
  cmake_parse_arguments(PARSE_ARGV 1 run "" "PARTS;ENVIRONMENT;TIMEOUT" "")
  if(NOT run_PARTS)
    set(run_PARTS 1)
  endif()
  foreach(part RANGE 1 ${run_PARTS})
    set(test ${name})
    set(environment ${run_ENVIRONMENT})
    if(run_PARTS GREATER 1)
      string(APPEND test ".${part}")
      math(EXPR index "${part} - 1")
      list(APPEND environment GTEST_TOTAL_SHARDS=${run_PARTS} GTEST_SHARD_INDEX=${index})
    endif()
    add_test(NAME ${test} COMMAND ${name} --gtest_brief=1)
    set_tests_properties(${test} PROPERTIES LABELS ${name} ENVIRONMENT "${environment}")
    if(run_TIMEOUT)
      set_tests_properties(${test} PROPERTIES TIMEOUT ${run_TIMEOUT})
    endif()
  endforeach()
endfunction()
