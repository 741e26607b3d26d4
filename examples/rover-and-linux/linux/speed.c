// Sets the rover's speed, in C: speed PERCENT
//
// Made for the Linux beside with: aarch64-linux-gnu-gcc-12 -static -o linux/speed linux/speed.c
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int count, char** words) {
  if (count != 2) {
    fprintf(stderr, "usage: speed PERCENT\n");
    return 2;
  }
  const int16_t wish = (int16_t)strtol(words[1], NULL, 10);
  const int fifo = open("/dev/hocket/fifo1", O_WRONLY);
  if (fifo < 0) {
    perror("/dev/hocket/fifo1");
    return 1;
  }
  // One write is one record: the rover takes it if it has the size of its Wish.
  if (write(fifo, &wish, sizeof wish) != sizeof wish) {
    perror("the rover's FIFO");
    return 1;
  }
  return 0;
}
