# The compiler for the ATmega328P: clang, with avr-libc's headers; avr-gcc links (arduino/cores/avr8/CMakeLists.txt).
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR avr)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_ASM_COMPILER clang-19)
set(CMAKE_CXX_COMPILER_TARGET avr)
set(CMAKE_ASM_COMPILER_TARGET avr)
find_program(CMAKE_AR llvm-ar-19 REQUIRED)
find_program(CMAKE_RANLIB llvm-ranlib-19 REQUIRED)
# avr-libc's <util/delay.h> uses a builtin that clang lacks. avr-gcc's linker reads DWARF up to version 4.
set(CMAKE_CXX_FLAGS_INIT "-mmcu=atmega328p -D__HAS_DELAY_CYCLES=0 -gdwarf-4")
set(CMAKE_ASM_FLAGS_INIT "-mmcu=atmega328p")
