// Four lights by Adafruit_NeoPixel.
#include <Adafruit_NeoPixel.h>

Adafruit_NeoPixel strip(4, 6, NEO_GRB + NEO_KHZ800);

void setup() {
  strip.begin();
  strip.setPixelColor(0, 255, 0, 0);
  strip.setPixelColor(1, 0, 128, 0);
  strip.setPixelColor(2, 0, 0, 64);
  strip.setPixelColor(3, 1, 2, 3);
  strip.show();
}
void loop() {}
