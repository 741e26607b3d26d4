// part: l: {type: potentiometer, pin: A0, position: 90 %}
// part: r: {type: potentiometer, pin: A1, position: 10 %}
// says: turn right|motors 200 58
// Two eyes, two motors, three loops that share what they know.
class Motor {
 public:
  explicit Motor(byte pin) : pin_(pin) {}
  void begin() { pinMode(pin_, OUTPUT); }
  void set(int speed) {
    speed_ = constrain(speed, 0, 200);
    analogWrite(pin_, speed_);
  }
  int speed() const { return speed_; }

 private:
  byte pin_;
  int speed_ = 0;
};
Motor left(5), right(6);
volatile int error;

void setup() {
  Serial.begin(115200);
  left.begin();
  right.begin();
}

void loop(1, 1, 5) {
  error = (analogRead(A0) - analogRead(A1)) / 8;
  delay(5);
}

void loop(2, 1, 10) {
  delay(10);
  int e = error;
  left.set(160 + e);
  right.set(160 - e);
}

void loop(3, 10, 200) {
  delay(200);
  static byte round_;
  if (round_++ != 1) return;
  Serial.println(error > 20 ? F("turn right") : F("straight on"));
  Serial.print(F("motors "));
  Serial.print(left.speed());
  Serial.print(' ');
  Serial.println(right.speed());
}
