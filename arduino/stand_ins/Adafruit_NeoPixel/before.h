// The processor in whose driver's place stands ours, kendyte_k210.c.
#define KENDRYTE_K210
