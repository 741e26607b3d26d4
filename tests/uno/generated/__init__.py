"""Random C++ programs for the Uno without undefined behaviour: all compilers must agree on what they do.

values.py    expressions and statements of all widths
features.py  pieces of a program, one for each feature of the language
objects.py   the same for classes and templates
program.py   a whole program as sketches, of one compiler or of two
"""
