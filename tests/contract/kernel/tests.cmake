# The tests of the kernel on a port, in two halves: an image for 2 KiB of RAM holds one of them.
set(kernel_tests_1 kernel_test threads_test semaphore_test suspend_test line_test)
set(kernel_tests_2 kernel_test budget_test alarm_test cores_test cost_test)
foreach(half 1 2)
  list(TRANSFORM kernel_tests_${half} REPLACE "(.+)" "${CMAKE_CURRENT_LIST_DIR}/\\1.cpp")
endforeach()
set(kernel_tests ${kernel_tests_1} ${kernel_tests_2})
list(REMOVE_DUPLICATES kernel_tests)
