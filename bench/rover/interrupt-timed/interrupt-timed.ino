// The rover of examples/rover-single, whose echo an interrupt handler times (experiment.py). The paper's fourth sketch:
// there is no delay(200) between two pings either, at the cost of false echoes.

const int TRIGGER = 11;
const int ECHO = 2;
const int LEFT_FORWARD = 4;
const int LEFT_BACKWARD = 5;
const int RIGHT_FORWARD = 6;
const int RIGHT_BACKWARD = 7;

const int SAFE_CM = 100;        // a wall this near, or nearer, is one to turn away from
const int TURN_ROUNDS = 8;      // of 105 to 130 ms: a turn of about 120 degrees
const int NOTHING_AHEAD = 400;  // the sensor sees up to 4 m

int turning = 0;  // rounds still to turn
bool wasTurning = false;

volatile unsigned long rose = 0, length = 0;  // of the echo, in us
volatile bool ended = false;

void edge() {
  if (digitalRead(ECHO)) {
    rose = micros();
  } else {
    length = micros() - rose;
    ended = true;
  }
}

void setup() {
  Serial.begin(115200);
  pinMode(TRIGGER, OUTPUT);
  pinMode(ECHO, INPUT);
  pinMode(LEFT_FORWARD, OUTPUT);
  pinMode(LEFT_BACKWARD, OUTPUT);
  pinMode(RIGHT_FORWARD, OUTPUT);
  pinMode(RIGHT_BACKWARD, OUTPUT);
  attachInterrupt(digitalPinToInterrupt(ECHO), edge, CHANGE);
}

void loop() {
  // Sense.
  int distance = measureCm();

  // Act.
  if (distance <= SAFE_CM) {
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

// Sends a ping and waits until the handler has timed its echo. Sound needs 29.1 us for a centimetre, there and back.
int measureCm() {
  ended = false;
  digitalWrite(TRIGGER, HIGH);
  delayMicroseconds(10);
  digitalWrite(TRIGGER, LOW);
  for (unsigned long begin = micros(); !ended && micros() - begin < 30000;) {
  }
  return ended ? length / 2 / 29.1 : NOTHING_AHEAD;
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
