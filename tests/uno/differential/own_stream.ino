// printf() by a stream of the sketch's own.
#include <stdio.h>
static int put(char c, FILE *) { Serial.write(c); return 0; }
static FILE out;
void setup() {
  Serial.begin(9600);
  fdev_setup_stream(&out, put, NULL, _FDEV_SETUP_WRITE);
  stdout = &out;
  printf("%d %s %05u %lx", -5, "text", 42u, 0xbeefUL);
}
void loop() {}
