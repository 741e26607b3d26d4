// says: ..#.....|...#....|.###....|5 alive|5 alive
// A glider in 64 bits.
byte world[8] = {0x20, 0x10, 0x70};

bool cell(const byte *w, int x, int y) { return w[y & 7] >> (7 - (x & 7)) & 1; }

byte alive(const byte *w) {
  byte n = 0;
  for (byte y = 0; y < 8; y++)
    for (byte x = 0; x < 8; x++) n += cell(w, x, y);
  return n;
}

void step() {
  byte next[8] = {0};
  for (byte y = 0; y < 8; y++)
    for (byte x = 0; x < 8; x++) {
      byte around = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
          if (dx || dy) around += cell(world, x + dx, y + dy);
      if (around == 3 || (around == 2 && cell(world, x, y))) next[y] |= 0x80 >> x;
    }
  memcpy(world, next, sizeof world);
}

void setup() {
  Serial.begin(115200);
  for (byte y = 0; y < 3; y++) {
    String line;
    for (byte x = 0; x < 8; x++) line += cell(world, x, y) ? '#' : '.';
    Serial.println(line);
  }
}

void loop(1, 40, 100) {
  delay(100);
  static byte round_;
  if (round_++ >= 2) return;
  step();
  Serial.print(alive(world));
  Serial.println(" alive");
}

void loop(2, 1, 10) { delay(10); }
