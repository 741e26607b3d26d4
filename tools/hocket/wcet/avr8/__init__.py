"""The ATmega328P for the analysis of execution times: instructions, cycles, and effects."""
