// Four lights by FastLED.
#include <FastLED.h>

CRGB lights[4];

void setup() {
  FastLED.addLeds<WS2812B, 6, GRB>(lights, 4);
  lights[0] = CRGB(255, 0, 0);
  lights[1] = CRGB(0, 128, 0);
  lights[2] = CRGB(0, 0, 64);
  lights[3] = CRGB(1, 2, 3);
  FastLED.show();
}
void loop() {}
