#include <stdio.h>
static int put(char c, FILE *) { Serial.write(c); return 0; }
void setup() {
  Serial.begin(9600);
  fdevopen(put, 0);
  printf("%c%c ", 'o', 'k');
  puts("line");
}
void loop() {}
