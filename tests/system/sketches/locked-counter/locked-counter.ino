// Five loops on several cores count together under one spinlock; a sixth checks that no count was lost.
Spinlock lock;
volatile int inside = 0;
volatile int intruders = 0;
volatile long total = 0;
volatile long own[6];

void count(int loop) {
  spinlockLock(lock);
  if (inside) intruders++;
  inside = 1;
  long before = total;
  delayMicroseconds(2);
  total = before + 1;
  own[loop]++;
  inside = 0;
  spinlockUnlock(lock);
}

void setup() {
  Serial.begin(2000000);
}

void loop(1, 3, 10) { count(1); }
void loop(2, 3, 10) { count(2); }
void loop(3, 3, 20) { count(3); }
void loop(4, 3, 20) { count(4); }
void loop(5, 8, 20) { count(5); }

void loop(6, 1, 100) {
  delay(150);
  spinlockLock(lock);
  long sum = 0;
  for (int i = 1; i <= 5; i++) sum += own[i];
  long all = total;
  spinlockUnlock(lock);
  char line[80];
  snprintf(line, sizeof line, "intruders %d lost %ld total %ld", intruders, all - sum, all);
  Serial.println(line);
}
