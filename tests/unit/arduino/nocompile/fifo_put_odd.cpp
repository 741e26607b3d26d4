// refused: a loop puts into 0, 2, 4 or 6
#include <Hocket.h>
void setup() {
  fifoPut(1, 5);
}
