// sends: 3.5,4.25,-1,0.5\n
// says: 3.50|7.75|6.75|7.25|sum 7.25 of 4
// Numbers between commas are added up.
float sum;
int count;

void setup() { Serial.begin(115200); }

void loop(1, 20, 100) {
  delay(100);
  static String field;
  while (Serial.available()) {
    char c = Serial.read();
    if (c == ',' || c == '\n') {
      sum += field.toFloat();
      count++;
      field = "";
      Serial.println(sum);
      if (c == '\n') Serial.println("sum " + String(sum) + " of " + String(count));
    } else {
      field += c;
    }
  }
}

void loop(2, 1, 50) { delay(50); }
