// sends: led on\nset 42\nget\nled off\nfoo\n
// says: led is on|level 42|level = 42|led is off|what is foo?
// A line of text is a command with an argument.
char line[24];
byte used;
int level;

void run(char *text) {
  char *name = strtok(text, " ");
  char *argument = strtok(NULL, " ");
  if (!strcmp(name, "led")) {
    bool on = argument && !strcmp(argument, "on");
    digitalWrite(LED_BUILTIN, on);
    Serial.print(F("led is "));
    Serial.println(on ? F("on") : F("off"));
  } else if (!strcmp(name, "set")) {
    level = atoi(argument);
    Serial.print(F("level "));
    Serial.println(level);
  } else if (!strcmp(name, "get")) {
    char text[20];
    snprintf(text, sizeof text, "level = %d", level);
    Serial.println(text);
  } else {
    Serial.print(F("what is "));
    Serial.print(name);
    Serial.println('?');
  }
}

void setup() {
  Serial.begin(115200);
  pinMode(LED_BUILTIN, OUTPUT);
}

void loop(1, 10, 40) {
  delay(40);
  while (Serial.available()) {
    char c = Serial.read();
    if (c != '\n') {
      if (used < sizeof line - 1) line[used++] = c;
      continue;
    }
    line[used] = 0;
    used = 0;
    run(line);
  }
}

void loop(2, 1, 10) {
  analogWrite(3, level);
  delay(10);
}
