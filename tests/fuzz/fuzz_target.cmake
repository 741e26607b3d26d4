# fuzz_target(NAME [CORPUS FOLDER] [LIBRARIES LIBRARY …] SOURCES SOURCE …): NAME_fuzz for libFuzzer, built on
# demand, and NAME_corpus, a test that runs every file of the folder and fixed mutations of it.
function(fuzz_target name)
  cmake_parse_arguments(PARSE_ARGV 1 fuzz "" "CORPUS" "LIBRARIES;SOURCES")
  add_executable(${name}_corpus ${fuzz_SOURCES})
  target_compile_definitions(${name}_corpus PRIVATE HOCKET_CORPUS_RUN)
  target_link_libraries(${name}_corpus PRIVATE ${fuzz_LIBRARIES})
  add_test(NAME ${name}_corpus COMMAND ${name}_corpus ${fuzz_CORPUS})
  set_tests_properties(${name}_corpus PROPERTIES LABELS ${name}_corpus)

  # libFuzzer looks for inputs that reach new code: the libraries are compiled again to tell it.
  sources_of(library_sources ${fuzz_LIBRARIES})
  add_executable(${name}_fuzz EXCLUDE_FROM_ALL ${fuzz_SOURCES} ${library_sources})
  set(sanitizers -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all)
  target_compile_options(${name}_fuzz PRIVATE ${sanitizers})
  target_link_options(${name}_fuzz PRIVATE ${sanitizers})

  foreach(target ${name}_corpus ${name}_fuzz)
    target_include_directories(${target} PRIVATE
      $<TARGET_PROPERTY:hocket_sim_devices,INTERFACE_INCLUDE_DIRECTORIES>)
    target_compile_features(${target} PRIVATE cxx_std_20)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Werror -ffp-contract=off)
  endforeach()
endfunction()

# sources_of(VARIABLE LIBRARY …): the sources of these libraries.
function(sources_of variable)
  foreach(library ${ARGN})
    get_target_property(sources ${library} SOURCES)
    get_target_property(folder ${library} SOURCE_DIR)
    list(TRANSFORM sources PREPEND ${folder}/ REGEX "^[^/]")
    list(APPEND found ${sources})
  endforeach()
  set(${variable} ${found} PARENT_SCOPE)
endfunction()
