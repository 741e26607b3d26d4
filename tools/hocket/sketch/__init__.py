"""Sketches: the folder as the Arduino IDE knows it, and its translation to C++."""
