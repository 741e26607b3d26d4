// Three loops that never rest, on one core: each still gets its own share, and no more.
//
// Each loop only counts, as fast as it can. Loop 1 may use 40 ms of every 100 ms, loop 2 half of that,
// loop 3 a quarter; so do the counts. Take two of the loops out: the third counts no faster.

unsigned long counts[4];  // by loop; each loop writes its own

void setup() {
  Serial.begin(115200);
}

void loop(1, 40, 100) {
  counts[1]++;
}

void loop(2, 20, 100) {
  counts[2]++;
}

void loop(3, 10, 100) {
  counts[3]++;
}

// A fourth loop that mostly sleeps tells how far the others have come.
void loop(4, 2, 100) {
  delay(1000);
  Serial.print("counts: ");
  for (int i = 1; i <= 3; i++) {
    Serial.print(counts[i]);
    Serial.print(i < 3 ? ", " : "\n");
  }
}
