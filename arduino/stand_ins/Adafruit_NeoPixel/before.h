// Selects the driver kendyte_k210.c, which our file of that name replaces.
#define KENDRYTE_K210
