# The compiler and its tools for the AArch64 boards, without an operating system underneath.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_ASM_COMPILER clang-19)
set(CMAKE_CXX_COMPILER_TARGET aarch64-none-elf)
set(CMAKE_ASM_COMPILER_TARGET aarch64-none-elf)
find_program(CMAKE_AR llvm-ar-19 REQUIRED)
find_program(CMAKE_RANLIB llvm-ranlib-19 REQUIRED)
# Atomic instructions in line: libgcc's functions would ask an operating system for the processor's features.
set(CMAKE_CXX_FLAGS_INIT "-mcpu=cortex-a53 -mno-outline-atomics")
set(CMAKE_ASM_FLAGS_INIT "-mcpu=cortex-a53")
