// sends: 1+2*3=\n(1+2)*3=\n10/4=\n2*(3+4)*5=\n7/0=\n
// says: 7|9|2|70|no number
// Terms with brackets, by recursive descent.
const char *at;
bool wrong;
long sum();

long factor() {
  if (*at == '(') {
    at++;
    long value = sum();
    if (*at == ')') at++;
    return value;
  }
  long value = 0;
  while (isDigit(*at)) value = value * 10 + (*at++ - '0');
  return value;
}
long product() {
  long value = factor();
  while (*at == '*' || *at == '/') {
    bool times = *at++ == '*';
    long other = factor();
    if (!times && other == 0) {
      wrong = true;
      return 0;
    }
    value = times ? value * other : value / other;
  }
  return value;
}
long sum() {
  long value = product();
  while (*at == '+' || *at == '-') value = *at++ == '+' ? value + product() : value - product();
  return value;
}

char line[24];
byte used;

void setup() { Serial.begin(115200); }

void loop(1, 10, 50) {
  delay(50);
  while (Serial.available()) {
    char c = Serial.read();
    if (c != '=') {
      if (c != '\n' && used < sizeof line - 1) line[used++] = c;
      continue;
    }
    line[used] = 0;
    used = 0;
    at = line;
    wrong = false;
    long value = sum();
    if (wrong)
      Serial.println(F("no number"));
    else
      Serial.println(value);
  }
}

void loop(2, 1, 20) { delay(20); }
