// Three loops that fill a core to 97 %: a simple rule refuses them, the exact test proves that they fit.
//
// Liu and Layland's rule guarantees any three loops up to 78 % of a core. Beyond that the answer depends
// on the numbers: `hocket check examples/exact-test` works out the worst response of each loop (the 30 ms
// of loop 3 may take 145 ms, because the others come first; it has 150) and accepts.

unsigned long rounds[4];

void setup() {
}

void loop(1, 25, 50) {
  rounds[1]++;
}

void loop(2, 20, 75) {
  rounds[2]++;
}

void loop(3, 30, 150) {
  rounds[3]++;
}
