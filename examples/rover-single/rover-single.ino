// The rover of ../rover with everything in one loop(), as it has to be on most boards.
//
// The motors can change only once in a round, and a round takes 300 ms and the time of the echo. Compare
// the interval at which the motors are set with that of ../rover: `hocket bench rover` does.

const int TRIGGER = 11;
const int ECHO = 2;
const int LEFT_FORWARD = 4;
const int LEFT_BACKWARD = 5;
const int RIGHT_FORWARD = 6;
const int RIGHT_BACKWARD = 7;

const int SAFE_CM = 100;        // a wall this near, or nearer, is one to turn away from
const int TURN_ROUNDS = 3;      // of 300 ms: a turn of about 120 degrees
const int NOTHING_AHEAD = 400;  // the sensor sees up to 4 m

int turning = 0;  // rounds still to turn
bool wasTurning = false;

void setup() {
  Serial.begin(115200);
  pinMode(TRIGGER, OUTPUT);
  pinMode(ECHO, INPUT);
  pinMode(LEFT_FORWARD, OUTPUT);
  pinMode(LEFT_BACKWARD, OUTPUT);
  pinMode(RIGHT_FORWARD, OUTPUT);
  pinMode(RIGHT_BACKWARD, OUTPUT);
}

void loop() {
  // Sense.
  int distance = measureCm();
  delay(200);  // lets the old echoes die away

  // Act, on a distance that is 200 ms old.
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
