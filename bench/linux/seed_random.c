// Gives Linux random numbers to begin with, the same in each run: seed_random
//
// A Linux that has none yet makes each of its own anew, at some 10,000 instructions. It wants one
// in each system call (randomize_kstack_offset), so that all of them would be slow for its first
// seconds; a computer that has been up for a while is not like that.
#include <fcntl.h>
#include <linux/random.h>
#include <sys/ioctl.h>

#include "threads.h"

enum { BYTES = 64 };

int main(void) {
  struct {  // struct rand_pool_info, with its bytes
    int bits, size;
    uint32_t words[BYTES / 4];
  } seed = {.bits = 8 * BYTES, .size = BYTES};
  for (uint32_t i = 0; i < BYTES / 4; i++) {
    seed.words[i] = i;
  }
  const int random = open("/dev/random", O_WRONLY);
  if (random < 0 || ioctl(random, RNDADDENTROPY, &seed) != 0) fail("/dev/random");
  return 0;
}
