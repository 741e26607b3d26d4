# Where the kernel's image lies on the board: its linker script, and the board's addresses for it, as arguments
# of the linker.
set(kernel_script ${CMAKE_CURRENT_LIST_DIR}/kernel.ld)
set(kernel_layout
  --defsym=hocket_ram_begin=${board_ram_begin}
  --defsym=hocket_ram_size=${board_ram_size}
  --defsym=hocket_load_address=${board_load_address}
  -T${kernel_script})
