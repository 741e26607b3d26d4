// Records to and from a program of Linux: numbers go out each 10 ms, commands come in and change the step.

struct Reading {
  uint32_t number;
  int32_t value;
};
struct Command {
  int32_t step;
};

Channel<int> step;

void setup() {
  Serial.begin(115200);
  channelWrite(step, 1);
}

void loop(1, 1, 10) {
  static Reading reading = {0, 0};
  reading.value += channelRead(step);
  if (fifoPut(0, reading)) ++reading.number;
  delay(10);
}

void loop(2, 1, 10) {
  Command command;
  if (fifoGet(1, command)) {
    channelWrite(step, (int)command.step);
    Serial.print("step ");
    Serial.println(command.step);
    fifoPut(2, "thanks\n");
  }
  char text[8];
  size_t bytes = fifoGet(3, text, sizeof text - 1);
  if (bytes > 0) {
    text[bytes] = 0;
    Serial.print(text);
  }
  delay(10);
}
