// says: SOS ...---...|HELP .... . .-.. .--.
// Letters by a table in flash; another loop holds the light.
const char A[] PROGMEM = ".-", B[] PROGMEM = "-...", C[] PROGMEM = "-.-.", D[] PROGMEM = "-..";
const char E[] PROGMEM = ".", F_[] PROGMEM = "..-.", G[] PROGMEM = "--.", H[] PROGMEM = "....";
const char I[] PROGMEM = "..", J[] PROGMEM = ".---", K[] PROGMEM = "-.-", L[] PROGMEM = ".-..";
const char M[] PROGMEM = "--", N[] PROGMEM = "-.", O[] PROGMEM = "---", P[] PROGMEM = ".--.";
const char Q[] PROGMEM = "--.-", R[] PROGMEM = ".-.", S[] PROGMEM = "...", T[] PROGMEM = "-";
const char *const letters[] PROGMEM = {A, B, C, D, E, F_, G, H, I, J, K, L, M, N, O, P, Q, R, S, T};

String code(const char *text, const char *between) {
  String all;
  for (; *text; text++) {
    char one[6];
    strcpy_P(one, (const char *)pgm_read_ptr(&letters[*text - 'A']));
    if (all.length()) all += between;
    all += one;
  }
  return all;
}

volatile byte beats;

void setup() {
  Serial.begin(115200);
  pinMode(LED_BUILTIN, OUTPUT);
}

void loop(1, 30, 200) {
  delay(200);
  static byte round_;
  if (round_ == 0) Serial.println("SOS " + code("SOS", ""));
  if (round_ == 1) Serial.println("HELP " + code("HELP", " "));
  if (round_ < 2) round_++;
}

void loop(2, 1, 30) {
  digitalWrite(LED_BUILTIN, ++beats & 1);
  delay(30);
}
