// Two loops that never rest make texts and give them back, beside a plain loop with objects: one heap
// for all of them.
volatile unsigned rounds[3];
volatile bool wrong;

struct Point {
  int x, y;
};

void work(int which, char letter) {
  String text;
  for (int i = 0; i < 12; i++) text += letter;
  for (unsigned i = 0; i < text.length(); i++) wrong = wrong || text[i] != letter;
  wrong = wrong || text.length() != 12;
  rounds[which]++;
}

void setup() { Serial.begin(57600); }

void loop(1, 1, 20, stackBytes(240)) { work(1, 'a'); }
void loop(2, 1, 25, stackBytes(240)) { work(2, 'b'); }

void loop() {
  for (int i = 0; i < 100; i++) {
    Point* points = new Point[3]{{1, 2}, {3, 4}, {i, 6}};
    wrong = wrong || points[2].x != i || points[1].y != 4;
    delete[] points;
    rounds[0]++;
  }
  delay(100);
  Serial.print(wrong ? "wrong " : "right ");
  Serial.print(rounds[0]);
  Serial.print(' ');
  Serial.print(rounds[1]);
  Serial.print(' ');
  Serial.println(rounds[2]);
}
