// A sketch's flat image inside the kernel's: assembled after each link of a sketch.
//
// Whole pages, so that what is mapped with the sketch's last page is zero and nobody else's.
        .section .sketch, "a", %progbits
        .balign 4096
        .global hocket_sketch_begin
hocket_sketch_begin:
        .incbin "sketch.bin"
        .balign 4096, 0
        .global hocket_sketch_end
hocket_sketch_end:
