# fuzz_target(NAME [CORPUS FOLDER] SOURCE …): NAME_fuzz for libFuzzer, built on demand, and NAME_corpus, a
# test that runs every file of the folder and fixed mutations of it; both under sanitizers.
function(fuzz_target name)
  cmake_parse_arguments(PARSE_ARGV 1 fuzz "" "CORPUS" "")
  set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all)
  if(HOCKET_SANITIZE)
    set(sanitizers)  # the whole build has its own
  endif()
  add_executable(${name}_corpus ${fuzz_UNPARSED_ARGUMENTS})
  target_compile_definitions(${name}_corpus PRIVATE HOCKET_CORPUS_RUN)
  add_executable(${name}_fuzz EXCLUDE_FROM_ALL ${fuzz_UNPARSED_ARGUMENTS})
  target_compile_options(${name}_fuzz PRIVATE -fsanitize=fuzzer)
  target_link_options(${name}_fuzz PRIVATE -fsanitize=fuzzer)
  foreach(target ${name}_corpus ${name}_fuzz)
    target_include_directories(${target} PRIVATE
      $<TARGET_PROPERTY:hocket_sim_devices,INTERFACE_INCLUDE_DIRECTORIES>)
    target_compile_features(${target} PRIVATE cxx_std_20)
    target_compile_options(${target} PRIVATE
      -Wall -Wextra -Werror -O1 -ffp-contract=off ${sanitizers})
    target_link_options(${target} PRIVATE ${sanitizers})
  endforeach()
  add_test(NAME ${name}_corpus COMMAND ${name}_corpus ${fuzz_CORPUS})
endfunction()

# sources_of(VARIABLE LIBRARY …): the sources of these libraries, to be compiled again under the sanitizers
# of a fuzz target, so that their mistakes are seen too.
function(sources_of variable)
  foreach(library ${ARGN})
    get_target_property(sources ${library} SOURCES)
    get_target_property(folder ${library} SOURCE_DIR)
    list(TRANSFORM sources PREPEND ${folder}/ REGEX "^[^/]")
    list(APPEND found ${sources})
  endforeach()
  set(${variable} ${found} PARENT_SCOPE)
endfunction()
