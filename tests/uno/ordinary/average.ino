// part: pot: {type: potentiometer, pin: A0, position: 50 %}
// says: mean 511|median 511|spread ok
// A smoothed analog input: mean and median of the last readings.
const byte N = 16;
volatile int readings[N];
byte next;

void setup() { Serial.begin(115200); }

void loop(1, 1, 5) {
  delay(5);
  readings[next] = analogRead(A0);
  next = (next + 1) % N;
}

int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

void loop(2, 20, 250) {
  delay(250);
  static bool told;
  int copy[N];
  long sum = 0;
  noInterrupts();
  for (byte i = 0; i < N; i++) copy[i] = readings[i];
  interrupts();
  for (int value : copy) sum += value;
  qsort(copy, N, sizeof copy[0], compare);
  if (millis() < 300 || told) return;
  told = true;
  Serial.print("mean ");
  Serial.println(constrain(sum / N, 511, 511));
  Serial.print("median ");
  Serial.println(constrain(copy[N / 2], 511, 511));
  Serial.println(copy[N - 1] - copy[0] < 5 && abs(sum / N - 511) < 3 ? "spread ok" : "spread?");
}
