// The receive interrupts of all ports: linked if code reads a port that the compiler does not know
// (arduino/api/serial_marks.h). A port that the sketch does not open stays off.
asm(".global hocket_serial_receiver\n.set hocket_serial_receiver, 1\n"
    ".irp port, 0,1,2,3\n.reloc 0, R_AVR_NONE, hocket_serial_receiver_\\port\n.endr");
