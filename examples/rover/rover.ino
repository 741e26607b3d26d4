// A rover that drives ahead and turns away from walls: two loops that do not wait for each other.
//
// Parts: an HC-SR04 ultrasonic sensor (trigger on pin 11, echo on pin 2) and two motors on H-bridges
// (left on pins 4 and 5, right on pins 6 and 7). scenario.yaml wires them up for the simulated board.
//
// With a single loop() the motors would wait for the echo and for the pause between two pings (try
// ../rover-single). Here the acting loop sets them every 100 ms, whatever the sensing loop does.

const int TRIGGER = 11;
const int ECHO = 2;
const int LEFT_FORWARD = 4;
const int LEFT_BACKWARD = 5;
const int RIGHT_FORWARD = 6;
const int RIGHT_BACKWARD = 7;

const int SAFE_CM = 100;        // a wall this near, or nearer, is one to turn away from
const int TURN_ROUNDS = 8;      // of 100 ms: a turn of about 120 degrees
const int NOTHING_AHEAD = 400;  // the sensor sees up to 4 m

// From the sensing loop to the acting loop: always the newest distance, and nobody waits for it.
Channel<int> distance;

void setup() {
  Serial.begin(115200);
  pinMode(TRIGGER, OUTPUT);
  pinMode(ECHO, INPUT);
  pinMode(LEFT_FORWARD, OUTPUT);
  pinMode(LEFT_BACKWARD, OUTPUT);
  pinMode(RIGHT_FORWARD, OUTPUT);
  pinMode(RIGHT_BACKWARD, OUTPUT);
  channelWrite(distance, NOTHING_AHEAD);
}

// Sense: 70 ms of processor time in every 100 ms.
void loop(1, 70, 100) {
  channelWrite(distance, measureCm());
  delay(200);  // lets the old echoes die away
}

// Act: 20 ms in every 100 ms.
void loop(2, 20, 100) {
  static int turning = 0;  // rounds still to turn
  static bool wasTurning = false;
  if (channelRead(distance) <= SAFE_CM) {
    turning = TURN_ROUNDS;
  }
  if (turning > 0) {
    drive(0, -1);  // the left wheel stands, the right one backs: off the wall, nose to the right
    turning--;
  } else {
    drive(1, 1);
  }
  tell(turning > 0, wasTurning);
  delay(100);
}

// Sends a ping and times its echo. Sound needs 29.1 us for a centimetre, there and back.
int measureCm() {
  digitalWrite(TRIGGER, HIGH);
  delayMicroseconds(10);
  digitalWrite(TRIGGER, LOW);
  unsigned long echo = pulseIn(ECHO, HIGH, 30000);
  return echo == 0 ? NOTHING_AHEAD : echo / 2 / 29.1;
}

// A line on the serial port when the rover begins to turn, and when it goes on.
void tell(bool isTurning, bool& wasTurning) {
  if (isTurning != wasTurning) {
    Serial.println(isTurning ? "wall: back and turn right" : "clear: ahead");
    wasTurning = isTurning;
  }
}

// Each wheel: 1 ahead, -1 back, 0 stop.
void drive(int left, int right) {
  digitalWrite(LEFT_FORWARD, left > 0);
  digitalWrite(LEFT_BACKWARD, left < 0);
  digitalWrite(RIGHT_FORWARD, right > 0);
  digitalWrite(RIGHT_BACKWARD, right < 0);
}
