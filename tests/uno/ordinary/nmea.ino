// sends: $GPGLL,4717.11,N,00833.91,E,130305,A*00\n
// says: 47 deg 17.11 min N|8 deg 33.91 min E|13:03:05 valid
// A position out of a GPS module's sentence.
String fields[8];
byte field;

int degrees(const String &text) { return text.substring(0, text.indexOf('.') - 2).toInt(); }
String minutes(const String &text) { return text.substring(text.indexOf('.') - 2); }

void show() {
  Serial.println(String(degrees(fields[1])) + " deg " + minutes(fields[1]) + " min " + fields[2]);
  Serial.println(String(degrees(fields[3])) + " deg " + minutes(fields[3]) + " min " + fields[4]);
  const String &t = fields[5];
  Serial.print(t.substring(0, 2) + ':' + t.substring(2, 4) + ':' + t.substring(4, 6));
  Serial.println(fields[6].startsWith("A") ? " valid" : " unsure");
}

void setup() { Serial.begin(115200); }

void loop(1, 20, 60) {
  delay(60);
  while (Serial.available()) {
    char c = Serial.read();
    if (c == '$') {
      field = 0;
      for (String &each : fields) each = "";
    } else if (c == ',') {
      if (field < 7) field++;
    } else if (c == '\n') {
      show();
    } else {
      fields[field] += c;
    }
  }
}

void loop(2, 1, 20) { delay(20); }
