// Work that must be done at its time: a square wave of 50 Hz from a periodic loop, beside a busy loop.
//
// periodic(id, C, T, D) runs its body once in every period T and guarantees that it is done D after
// its release. There is no delay() and no drift: each period begins exactly T after the one before.

const int WAVE = 8;

// From the loop that counts to the one that tells: the newest number, always whole.
Channel<unsigned long> primes;

void setup() {
  Serial.begin(115200);
  pinMode(WAVE, OUTPUT);
}

// Changes the pin every 10 ms, at the latest 2 ms after the beginning of the period.
void periodic(1, 1ms, 10ms, 2ms) {
  static bool high = false;
  high = !high;
  digitalWrite(WAVE, high);
}

// Counts primes in all the time it is given, and does not disturb the wave.
void loop(2, 60, 100) {
  static unsigned long candidate = 2;
  static unsigned long count = 0;
  if (isPrime(candidate)) {
    count++;
    channelWrite(primes, count);
  }
  candidate++;
}

// Tells once a second how many there were.
void periodic(3, 2ms, 1s) {
  Serial.print("primes so far: ");
  Serial.println(channelRead(primes));
}

bool isPrime(unsigned long n) {
  for (unsigned long divisor = 2; divisor * divisor <= n; divisor++) {
    if (n % divisor == 0) {
      return false;
    }
  }
  return true;
}
