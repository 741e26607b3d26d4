"""`--coverage`: which lines of a sketch have run on the board sim.

builder/visits.cpp  is linked into the program, and marks each basic block that runs
lines.py       from blocks to lines, by the program's debug information
merging.py     the lines of several runs; asking.py: what the options ask for
telling.py     the table, lcov and HTML (gcovr)

Clang's own coverage (`-fcoverage-mapping`) counts in the code itself, which makes other basic blocks of it:
the board's time, which counts blocks, would be another one. So nothing is compiled in another way here, and
lines are found from the blocks that the clock counts anyway.
"""
