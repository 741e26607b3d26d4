// says: lamp on|fan 3|lamp off|fan 0|2 devices
// Devices behind one interface, made with new.
class Device {
 public:
  virtual ~Device() {}
  virtual void set(int value) = 0;
};
class Lamp : public Device {
 public:
  void set(int value) override {
    Serial.print(F("lamp "));
    Serial.println(value ? F("on") : F("off"));
  }
};
class Fan : public Device {
 public:
  void set(int value) override {
    Serial.print(F("fan "));
    Serial.println(value);
  }
};
Device *devices[4];
byte count;

void setup() {
  Serial.begin(115200);
  devices[count++] = new Lamp;
  devices[count++] = new Fan;
}

void loop(1, 10, 100) {
  delay(100);
  static byte round_;
  if (round_ < 2)
    for (byte i = 0; i < count; i++) devices[i]->set(round_ ? 0 : 3);
  if (round_ == 2) Serial.println(String(count) + " devices");
  round_++;
}

void loop(2, 1, 10) { delay(10); }
