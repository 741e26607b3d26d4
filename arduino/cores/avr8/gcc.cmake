# Plain sketches are compiled with avr-gcc (tools/hocket/builder/avr_gcc.py), and so are the classes that they use:
# structures and classes are passed in other registers than clang's. Pins, time and ports are clang's: it makes them
# shorter, and what crosses between the two is numbers and pointers (tests/uno/test_border.py).
find_program(HOCKET_AVR_GXX avr-g++ REQUIRED)
find_program(HOCKET_AVR_GCC_AR avr-gcc-ar REQUIRED)
execute_process(COMMAND ${HOCKET_AVR_GXX} -dumpversion OUTPUT_VARIABLE gcc_version OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)
# avr-gcc before 9.3 takes an array in RAM for one in flash of the same content (gcc's bug 92606).
set(gcc_apart -fno-ipa-icf-variables)
set(gcc_flags -mmcu=${board_chip} -pipe -Os -g -gdwarf-4 -std=gnu++14 -fpermissive -w -fno-exceptions -fno-rtti -fno-threadsafe-statics
  -ffunction-sections -fdata-sections -fno-delete-null-pointer-checks ${gcc_apart} -fdiagnostics-color=never
  ${sketch_folders}
  ${sketch_definitions})
if(gcc_version VERSION_LESS 8)
  set(gcc_prefix_map -fdebug-prefix-map)  # `__FILE__` is the whole path there
else()
  set(gcc_prefix_map -fmacro-prefix-map)
endif()
# One optimisation over the sketch, its libraries and these classes. Not of what assembler in them defines or makes weak,
# of which the optimisation knows nothing; nor of what is needed only when it is done: it cannot begin again then.
set(gcc_whole -flto -fno-fat-lto-objects ${gcc_apart})
set(gcc_sources HardwareSerial.cpp IPAddress.cpp Print.cpp Stream.cpp String.cpp dtostrf.cpp itoa.cpp many_arguments.cpp map.cpp math.cpp
  serial_events.cpp serial_opening.cpp serial_reading.cpp ${serial_objects})

# gcc_archive(name flags…): an archive of these classes, compiled with the flags.
function(gcc_archive name)
  set(objects)
  foreach(file ${gcc_sources})
    set(source ${root}/arduino/api/${file})
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}/${file}.o)
    set(whole ${ARGN})
    if(file MATCHES "HardwareSerial|serial_")
      set(whole)
    endif()
    add_custom_command(OUTPUT ${object}
      COMMAND ${HOCKET_AVR_GXX} ${gcc_flags} ${whole} -DHOCKET_WITHOUT_LOOPS -MD -MF ${object}.d -MT ${object} -c ${source}
        -o ${object}
      DEPENDS ${source} DEPFILE ${object}.d VERBATIM COMMENT "Compiling ${file} with avr-g++ for ${name}")
    list(APPEND objects ${object})
  endforeach()
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${name})
  set(archive ${CMAKE_CURRENT_BINARY_DIR}/lib${name}.a)
  add_custom_command(OUTPUT ${archive}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${archive} COMMAND ${HOCKET_AVR_GCC_AR} rcs ${archive} ${objects}
    DEPENDS ${objects} VERBATIM COMMENT "Linking lib${name}.a")
  add_custom_target(${name} ALL DEPENDS ${archive})
  set(${name} ${archive} PARENT_SCOPE)
endfunction()
gcc_archive(hocket_uno_gcc ${gcc_whole})
gcc_archive(hocket_uno_gcc_apart)  # for sketches that do not link in that way

# For the command-line tool (tools/hocket/builder/board.py).
string(JOIN "\", \"" gcc_words ${gcc_flags})
string(JOIN "\", \"" gcc_whole_words ${gcc_whole})
set(gcc_build "{\"cxx\": \"${HOCKET_AVR_GXX}\", \"version\": \"${gcc_version}\", \"compile\": [\"${gcc_words}\"],
  \"whole\": [\"${gcc_whole_words}\"], \"prefix_map\": \"${gcc_prefix_map}\",
  \"instead_of\": \"$<TARGET_FILE:hocket_uno_loops_api>\", \"library\": \"${hocket_uno_gcc}\",
  \"library_apart\": \"${hocket_uno_gcc_apart}\"}")
