# AArch64 for loops in a domain of their own: the layout of images, what a kernel is made of, what a sketch is compiled for.
set(port ${PROJECT_SOURCE_DIR}/ports/aarch64)
set(cores ${PROJECT_SOURCE_DIR}/arduino/cores)
set(processor_folder ${cores}/aarch64)

# --- Where the kernel's image lies: its linker script and the board's addresses for it, as arguments of the linker. The
# offset is that of the level (HOCKET_KERNEL_OFFSET in its exception_level.h).
set(kernel_script ${port}/kernel.ld)
set(kernel_layout
  --defsym=hocket_offset=0xFFFFFF8000000000
  --defsym=hocket_ram_begin=${board_ram_begin}
  --defsym=hocket_ram_size=${board_ram_size}
  --defsym=hocket_load_address=${board_load_address}
  --defsym=hocket_least_frames=0x1000000
  -T${kernel_script})

# Beside Linux, at EL3: the secure memory of QEMU's `virt` (secure=on), into which the image copies itself out of the
# flash that it begins in.
set(beside_ram_begin 0x0e000000)
set(kernel_layout_beside
  --defsym=hocket_offset=0x8000000000
  --defsym=hocket_ram_begin=${beside_ram_begin}
  --defsym=hocket_ram_size=0x01000000
  --defsym=hocket_load_address=${beside_ram_begin}
  --defsym=hocket_least_frames=0x400000
  -T${kernel_script})

# --- What a sketch is compiled for, and where it lies (address_space.h).
set(processor_target aarch64-none-elf)
set(processor_options -mcpu=cortex-a53 -mno-outline-atomics)
set(processor_image_begin 0x10000000)
# The name under which Debian has the C library and the C++ headers for it.
set(processor_libraries aarch64-linux-gnu)

# --- What a kernel is made of besides what all processors share.
set(processor_sources ${processor_folder}/kernel/user_fault.cpp ${port}/restart.S)
set(processor_pins_sources ${processor_folder}/kernel/hypervisor.S)
set(processor_beside_sources ${processor_folder}/kernel/beside/beside.cpp ${processor_folder}/kernel/beside/programs.cpp)
# A call of a few instructions is not one that calls two halves of itself.
set(processor_calls_options -mno-outline)

# Kernel code never touches floating-point registers: they are a thread's (ports/aarch64/floating_point.cpp).
#
# kernel_level(LEVEL SUFFIX FOLDER…): what a kernel at this exception level (HOCKET_LEVEL: el1, el3) is made of. Its flags
# are hocket_kernel_flagsSUFFIX; first among the folders that have what is chosen by name alone is ports/aarch64/LEVEL,
# then come the board's.
function(kernel_level HOCKET_LEVEL suffix)
  set(flags hocket_kernel_flags${suffix})
  add_library(${flags} INTERFACE)
  target_compile_options(${flags} INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-ffreestanding -nostdinc++ -fno-exceptions -fno-rtti
      -mgeneral-regs-only -mstrict-align>
    -ffunction-sections -fdata-sections -fno-pic -fomit-frame-pointer
    "SHELL:-Xclang -mno-constructor-aliases"  # else a constructor made in another file (paths.cpp) is never in line
    "SHELL:-mllvm -align-all-functions=2")  # else a function for speed begins at a multiple of 16
  target_compile_definitions(${flags} INTERFACE
    HOCKET_TICK_HZ=${board_tick_hz} HOCKET_MOST_CORES=${board_most_cores})
  target_include_directories(${flags} INTERFACE
    ${cores}/protected/kernel ${processor_folder}/kernel ${processor_folder} ${port}/${HOCKET_LEVEL} ${ARGN})

  set(of_el1 maps.S)
  set(of_el3 maps.S normal_world.cpp psci_calls.cpp stub.S worlds.cpp worlds.S)
  list(TRANSFORM of_${HOCKET_LEVEL} PREPEND ${port}/${HOCKET_LEVEL}/ OUTPUT_VARIABLE level_sources)
  add_library(hocket_aarch64_port${suffix} STATIC EXCLUDE_FROM_ALL
    ${port}/boot.cpp ${port}/defects.cpp ${port}/floating_point.S ${port}/floating_point.cpp
    ${port}/memory.cpp ${port}/probe.S ${port}/start.S ${port}/switch.S
    ${port}/memory_map.cpp ${level_sources})
  target_link_libraries(hocket_aarch64_port${suffix} PRIVATE ${flags})
  target_compile_options(hocket_aarch64_port${suffix} PRIVATE -Oz)

  # The vectors know how the board's interrupt controller is asked (controller.h); tests have images for others.
  add_library(hocket_aarch64_vectors${suffix} OBJECT EXCLUDE_FROM_ALL ${port}/${HOCKET_LEVEL}/vectors.S)
  target_link_libraries(hocket_aarch64_vectors${suffix} PRIVATE ${flags})
  set(gics_of_el1 2 3)
  set(gics_of_el3 3)
  foreach(gic ${gics_of_${HOCKET_LEVEL}})
    set(vectors hocket_aarch64_vectors${suffix}_gic${gic})
    add_library(${vectors} OBJECT EXCLUDE_FROM_ALL ${port}/${HOCKET_LEVEL}/vectors.S)
    target_link_libraries(${vectors} PRIVATE ${flags})
    target_compile_definitions(${vectors} PRIVATE HOCKET_GIC=${gic})
  endforeach()
  set(processor_objects${suffix}
    $<TARGET_OBJECTS:hocket_aarch64_port${suffix}> $<TARGET_OBJECTS:hocket_aarch64_vectors${suffix}> PARENT_SCOPE)
endfunction()

# processor_kernels(): the libraries and objects of each level, in the caller's scope.
macro(processor_kernels)
  kernel_level(el1 "" ${board_folder})
  target_compile_definitions(hocket_kernel_flags INTERFACE HOCKET_RAM_BASE=${board_ram_begin})
  # Beside Linux, at EL3, where the board has a folder for that.
  if(EXISTS ${board_folder}/beside)
    kernel_level(el3 _beside ${board_folder}/beside ${board_folder})
    target_compile_definitions(hocket_kernel_flags_beside INTERFACE HOCKET_RAM_BASE=${beside_ram_begin} HOCKET_GIC=3)
  endif()
endmacro()
