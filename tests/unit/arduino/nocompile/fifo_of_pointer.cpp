// refused: an address means nothing to a program of Linux
#include <Hocket.h>
void setup() {
  int x;
  fifoPut(0, &x);
}
