// Answers every line "ping" with "pong", and is tested by somebody who sends some: scenario.yaml.
//
//   $ ./hocket test examples/ping-pong
//
// Parts: somebody at the other end of Serial.
const char PING[] = "ping";

void setup() {
  Serial.begin(9600);
}

// A character comes every millisecond; 64 of them may wait.
void loop(1, 2ms, 20ms) {
  static char line[8];
  static unsigned length = 0;
  int byte = Serial.read();
  if (byte < 0) return delay(5);
  if (byte != '\n') {
    if (length < sizeof line - 1) line[length++] = char(byte);
    return;
  }
  line[length] = 0;
  length = 0;
  Serial.println(strcmp(line, PING) == 0 ? "pong" : "what?");
}
