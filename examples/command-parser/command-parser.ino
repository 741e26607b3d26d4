// Commands from the serial port beside a control loop that must never be late.
//
// Bytes arrive by themselves, one every 87 us at 115200 baud, and wait in the port's buffer. The parser's loop
// runs when some are there and has its own budget; however much is sent, the control loop keeps its 1 kHz.
//
// Parts: somebody at the other end of Serial who sends `speed N` lines.
Channel<int> speed;

void setup() {
  Serial.begin(115200);
  Serial.setTimeout(1000);
}

// Control: 1 kHz, done within half a period.
void periodic(1, 200us, 1ms, 500us) {
  static int actual = 0;
  actual += (channelRead(speed) - actual) / 8;
}

// Parse. The buffer has 64 bytes: they must be fetched within 5 ms.
void loop(2, 1ms, 4ms) {
  static char line[16];
  static unsigned length = 0;
  int byte = Serial.read();
  if (byte < 0) return delay(1);
  if (byte != '\n') {
    if (length < sizeof line - 1) line[length++] = char(byte);
    return;
  }
  line[length] = 0;
  length = 0;
  if (strncmp(line, "speed ", 6) == 0) {
    channelWrite(speed, atoi(line + 6));
    Serial.print("ok ");
    Serial.println(atoi(line + 6));
  } else {
    Serial.println("what?");
  }
}
