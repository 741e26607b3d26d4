volatile float x = 2.0, y = 3.0;
volatile int i = -7, j = 3;
void setup() {
  Serial.begin(115200);
  Serial.println(sqrt(x), 5);
  Serial.println(pow(x, y), 3);
  Serial.println(sin(x), 5);
  Serial.println(atan2(x, y), 5);
  Serial.println(i / j);
  Serial.println(i % j);
  Serial.println(map(512, 0, 1023, -100, 100));
  Serial.println(abs(i));
  Serial.println(constrain(300, 0, 255));
  Serial.println(min(i, j));
  Serial.println(max(i, j));
  Serial.println(sq(j));
  Serial.println(round(x * 1.3));
  Serial.println(radians(180.0), 5);
  Serial.println(fmod(7.5, x));
  Serial.println(log(x), 4);
}
void loop() {}
