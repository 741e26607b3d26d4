// Looks at its clock once a minute and says when millis() and micros() have gone round.
uint32_t rounds = 0;

void setup() {
  Serial.begin(115200);
}

void loop() {
  static uint32_t millisBefore = 0, microsBefore = 0, microsRounds = 0;
  uint32_t millisNow = millis(), microsNow = micros();
  if (microsNow < microsBefore) microsRounds++;
  if (millisNow < millisBefore) {
    Serial.print("millis went round, micros ");
    Serial.print(microsRounds);
    Serial.print(" times; minute took ");
    Serial.println(millisNow - millisBefore);
  }
  millisBefore = millisNow;
  microsBefore = microsNow;
  delay(60000);
}
