// Two boards, wired pin to pin (scenario.yaml): this one sends a pulse on pin 3 every 100 ms, and a line
// on Serial; the other one (../pong) answers both. How long does an answer take?
//
//     ping 3 ──▶ 2 pong      a pulse, and its answer
//          2 ◀── 3
//         TX ──▶ RX          a line, and its answer
//         RX ◀── TX

volatile unsigned long sent;
volatile unsigned long took;

void heard() {
  took = micros() - sent;
}

void setup() {
  Serial.begin(115200);
  pinMode(3, OUTPUT);
  pinMode(2, INPUT);
  attachInterrupt(digitalPinToInterrupt(2), heard, RISING);
}

void loop(1, 10, 50) {  // pulses
  sent = micros();
  digitalWrite(3, HIGH);
  delay(1);
  digitalWrite(3, LOW);
  Serial.print("pulse answered after ");
  Serial.print(took);
  Serial.println(" us");
  delay(99);
}

void loop(2, 5, 50) {  // reads what the other one says
  while (Serial.available() > 0) {
    if (Serial.read() == '!') digitalWrite(LED_BUILTIN, HIGH);
  }
  delay(5);
}
