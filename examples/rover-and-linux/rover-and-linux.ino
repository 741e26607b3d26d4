// The rover of ../rover beside a Linux: its loops say what they see and do, and take new speeds.
//
//   FIFO 0   out of the acting loop, each 100 ms: a Record. linux/rover.py logs and draws them.
//   FIFO 1   to the acting loop: a Wish, from linux/rover.py or linux/speed.c.
//
// Linux may be slow, stopped, or not there: the loops drive on as they did. A speed is checked before
// it is used, for whoever writes to FIFO 1 may write anything.
//
// Parts as in ../rover, with the bridges' enable inputs on pins 9 and 10. On sim, scenario.yaml has parts
// for the two programs, too; `--beside linux` runs them.

const int TRIGGER = 11;
const int ECHO = 2;
const int LEFT_FORWARD = 4;
const int LEFT_BACKWARD = 5;
const int LEFT_SPEED = 9;
const int RIGHT_FORWARD = 6;
const int RIGHT_BACKWARD = 7;
const int RIGHT_SPEED = 10;

const int SAFE_CM = 100;        // a wall this near, or nearer, is one to turn away from
const int TURN_ROUNDS = 8;      // of 100 ms: a turn of about 120 degrees at full speed
const int NOTHING_AHEAD = 400;  // the sensor sees up to 4 m

// To Linux: 12 bytes, without gaps ("<IhhbbH" in Python).
struct Record {
  uint32_t atMs;
  int16_t cm;
  int16_t percent;
  int8_t left, right;  // 1 ahead, -1 back, 0 stop
  uint16_t lost;       // records that found no room before this one
};

// From Linux ("<h").
struct Wish {
  int16_t percent;  // of the full speed
};

Channel<int> distance;

void setup() {
  Serial.begin(115200);
  pinMode(TRIGGER, OUTPUT);
  pinMode(ECHO, INPUT);
  pinMode(LEFT_FORWARD, OUTPUT);
  pinMode(LEFT_BACKWARD, OUTPUT);
  pinMode(LEFT_SPEED, OUTPUT);
  pinMode(RIGHT_FORWARD, OUTPUT);
  pinMode(RIGHT_BACKWARD, OUTPUT);
  pinMode(RIGHT_SPEED, OUTPUT);
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
  static int percent = 100;
  int cm = channelRead(distance);
  if (cm <= SAFE_CM) {
    turning = TURN_ROUNDS;
  }
  percent = wishedPercent(percent);
  int left = turning > 0 ? 0 : 1;  // the left wheel stands, the right one backs: off the wall
  int right = turning > 0 ? -1 : 1;
  drive(left, right, percent);
  if (turning > 0) turning--;
  tell(cm, percent, left, right);
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

// The next wish of Linux if there is one that a rover can fulfil.
int wishedPercent(int percent) {
  Wish wish;
  if (!fifoGet(1, wish)) return percent;
  bool possible = wish.percent >= 0 && wish.percent <= 100;
  Serial.print(possible ? "speed " : "no such speed: ");
  Serial.println(wish.percent);
  return possible ? wish.percent : percent;
}

// Without a reader FIFO 0 is full after half a minute; then the rover only counts.
void tell(int cm, int percent, int left, int right) {
  Record record = {(uint32_t)millis(), (int16_t)cm,   (int16_t)percent,
                   (int8_t)left,       (int8_t)right, (uint16_t)fifoLost(0)};
  fifoPut(0, record);
}

// Each wheel: 1 ahead, -1 back, 0 stop.
void drive(int left, int right, int percent) {
  analogWrite(LEFT_SPEED, percent * 255 / 100);
  analogWrite(RIGHT_SPEED, percent * 255 / 100);
  digitalWrite(LEFT_FORWARD, left > 0);
  digitalWrite(LEFT_BACKWARD, left < 0);
  digitalWrite(RIGHT_FORWARD, right > 0);
  digitalWrite(RIGHT_BACKWARD, right < 0);
}
