// says: 2024-02-28 23:59:58|2024-02-29 00:00:00|Thursday|day 60
// A clock that counts seconds, with leap years.
struct Date {
  int year;
  byte month, day, hour, minute, second;
} now = {2024, 2, 28, 23, 59, 58};

bool leap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }
byte days(int year, byte month) {
  const byte all[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && leap(year) ? 29 : all[month - 1];
}
void tick() {
  if (++now.second < 60) return;
  now.second = 0;
  if (++now.minute < 60) return;
  now.minute = 0;
  if (++now.hour < 24) return;
  now.hour = 0;
  if (++now.day <= days(now.year, now.month)) return;
  now.day = 1;
  if (++now.month > 12) now.month = 1, now.year++;
}
byte weekday(int y, byte m, byte d) {
  static const byte t[] = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};
  if (m < 3) y--;
  return (y + y / 4 - y / 100 + y / 400 + t[m - 1] + d) % 7;
}
void show() {
  char text[24];
  sprintf(text, "%04d-%02d-%02d %02d:%02d:%02d", now.year, now.month, now.day, now.hour, now.minute, now.second);
  Serial.println(text);
}

void setup() {
  Serial.begin(115200);
  show();
}

void loop(1, 10, 100) {
  delay(100);
  static byte n;
  if (n++ >= 2) return;
  tick();
  if (n < 2) return;
  show();
  const char *names[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
  Serial.println(names[weekday(now.year, now.month, now.day)]);
  int day = now.day;
  for (byte m = 1; m < now.month; m++) day += days(now.year, m);
  Serial.println("day " + String(day));
}

void loop(2, 1, 10) { delay(10); }
