"""`hocket debug`: a sketch under gdb, on the boards of this computer."""
