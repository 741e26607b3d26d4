// A motor that stops within microseconds of its end switch, whatever the loops are doing.
//
// The handler runs in the interrupt itself, so it is short: it is admitted with 5 us in every 20 ms, before
// all loops. When the contact bounces, edges come sooner than that; they are lost, which here is right.
//
// Parts: an end switch on pin 2 (to ground, pulled up) that bounces for up to 3 ms; a motor's enable on pin 7.
const int END_SWITCH = 2, MOTOR = 7;

volatile unsigned stops = 0;

void stop() {
  digitalWrite(MOTOR, LOW);
  ++stops;
}

void setup() {
  Serial.begin(115200);
  pinMode(END_SWITCH, INPUT_PULLUP);
  pinMode(MOTOR, OUTPUT);
  attachInterruptDirect(END_SWITCH, stop, FALLING, 5us, 20ms);
}

void loop(1, 70, 100) {  // plans the next move, with all the time that it has
  static volatile unsigned long thought;
  ++thought;
}

void loop(2, 5, 100) {  // starts the motor again
  delay(500);
  digitalWrite(MOTOR, HIGH);
  Serial.print("stops ");
  Serial.println(stops);
}
