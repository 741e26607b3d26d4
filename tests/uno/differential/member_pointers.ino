struct Lamp {
  int level;
  void up() { level++; }
  void down() { level--; }
  virtual int get() { return level; }
};
void (Lamp::*steps[])() = {&Lamp::up, &Lamp::up, &Lamp::down};
int (Lamp::*reads)() = &Lamp::get;
Lamp lamp;
void setup() {
  Serial.begin(115200);
  for (auto step : steps) {
    (lamp.*step)();
    Serial.println((lamp.*reads)());
  }
}
void loop() {}
