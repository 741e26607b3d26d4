# What a sketch is compiled for on an AArch64 board (arduino/cores/protected/sketch/CMakeLists.txt includes it).
set(processor_target aarch64-none-elf)
set(processor_options -mcpu=cortex-a53 -mno-outline-atomics)
# The name under which Debian has the C library and the C++ headers for it.
set(processor_libraries aarch64-linux-gnu)
# The folder with sketch.ld, and with include/ for what a sketch does in the processor's own instructions.
set(processor_folder ${PROJECT_SOURCE_DIR}/arduino/cores/aarch64/sketch)
