// refused: a loop gets from 1, 3, 5 or 7
#include <Hocket.h>
void setup() {
  int x;
  fifoGet(2, x);
}
