// Two loops that want 130 % of a core: refused before anything runs, with the reason and what would fit.
//
//   hocket check examples/too-much               refused, exit status 3
//   hocket check examples/too-much --cores 2     accepted: each loop on a core of its own

unsigned long rounds[3];

void setup() {
}

void loop(1, 70, 100) {
  rounds[1]++;
}

void loop(2, 60, 100) {
  rounds[2]++;
}
