// A sketch's flat image inside the kernel's: assembled after each link of a sketch.
//
// Whole pages, so that what is mapped with the sketch's last page is zero and belongs to nothing else. The kernel's
// linker script names the ends of the section: hocket_sketch_begin, hocket_sketch_end.
        .section .sketch, "a", %progbits
        .balign 4096
        .incbin "sketch.bin"
        .balign 4096, 0
