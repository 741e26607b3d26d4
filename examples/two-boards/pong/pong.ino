// Answers ../ping: each pulse on pin 2 with one on pin 3, each line on Serial with its length.

int letters = 0;

void answer() {
  digitalWrite(3, HIGH);
  delayMicroseconds(10);
  digitalWrite(3, LOW);
}

void setup() {
  Serial.begin(115200);
  pinMode(2, INPUT);
  pinMode(3, OUTPUT);
  attachInterrupt(digitalPinToInterrupt(2), answer, RISING);
}

void loop() {
  while (Serial.available() > 0) {
    const int letter = Serial.read();
    if (letter >= ' ') letters += 1;
    if (letter != '\n') continue;
    Serial.print("a line of ");
    Serial.print(letters);
    Serial.println(" letters!");
    letters = 0;
  }
}
