"""`--coverage`: reports which lines of a sketch have run on the board sim.

    builder/visits.cpp  is linked into the program, and marks each basic block that runs
    lines.py       maps blocks to lines, by the program's debug information
    merging.py     merges the lines of several runs; asking.py: the options
    telling.py     writes the table, lcov and HTML (gcovr)

Clang's own coverage (`-fcoverage-mapping`) adds counters to the code, which changes its basic blocks. The
board's time counts basic blocks, so it would change, too. So nothing is compiled differently here: the lines
are found from the blocks that the clock counts anyway.
"""
