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
