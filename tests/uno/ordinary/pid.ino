// for: 2600 ms
// says: heats|settled 60.0|energy ok
// A controller and the room that it heats.
volatile float heat, room = 20;

void setup() { Serial.begin(115200); }

void loop(1, 2, 10) {
  delay(10);
  static float integral;
  float error = 60 - room;
  integral = constrain(integral + error * 0.01, -50, 50);
  heat = constrain(error * 4 + integral * 8, 0, 255);
}

void loop(2, 2, 10) {
  room += (heat * 0.5 - (room - 20)) * 0.02;
  delay(10);
}

void loop(3, 20, 200) {
  delay(200);
  static byte round_;
  if (round_ == 1) Serial.println(room > 21 ? "heats" : "cold");
  if (round_ == 11) {
    Serial.print("settled ");
    Serial.println(room, 1);
    Serial.println(abs(heat - 80) < 2 ? "energy ok" : "energy?");
  }
  round_++;
}
