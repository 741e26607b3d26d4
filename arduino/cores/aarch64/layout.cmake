# Where the kernel's image lies on the board: its linker script, and the board's addresses for it, as arguments
# of the linker. The offset is that of the level (HOCKET_KERNEL_OFFSET in its exception_level.h).
set(kernel_script ${CMAKE_CURRENT_LIST_DIR}/kernel.ld)
set(kernel_layout
  --defsym=hocket_offset=0xFFFFFF8000000000
  --defsym=hocket_ram_begin=${board_ram_begin}
  --defsym=hocket_ram_size=${board_ram_size}
  --defsym=hocket_load_address=${board_load_address}
  --defsym=hocket_least_frames=0x1000000
  -T${kernel_script})
