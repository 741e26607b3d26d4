// Nothing of its own: the file with which the headers of all test programs are compiled, once.
