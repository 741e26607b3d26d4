// Virtual functions, templates, global objects, static members.
struct Shape { virtual int area() const = 0; };
struct Square : Shape { int s; Square(int s) : s(s) {} int area() const override { return s * s; } };
struct Box : Shape { int a, b; Box(int a, int b) : a(a), b(b) {} int area() const override { return a * b; } };
template <typename T> T twice(T v) { return v + v; }
struct Counter { static int n; Counter() { n++; } };
int Counter::n = 5;
Counter one, two;
void setup() {
  Serial.begin(115200);
  Square s(4);
  Box b(2, 3);
  Shape *all[] = {&s, &b};
  for (Shape *each : all) Serial.println(each->area());
  Serial.println(twice(2.5));
  Serial.println(twice(21));
  Serial.println(Counter::n);
}
void loop() {}
