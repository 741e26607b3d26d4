// Uses much of the C and C++ libraries; what it prints is the same on every board.
#include <algorithm>
#include <complex>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

struct Made {
  int value;
  explicit Made(int v) : value(v) { ++count; }
  static int count;
};
int Made::count = 0;
Made global(5);
Made &once() {
  static Made made(7);
  return made;
}
struct alignas(64) Wide {
  char bytes[64];
};

int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

void cLibrary() {
  printf("%5.2f|%s|%c|%x|%lld|%e\n", 3.14159, "text", 'c', 255, 1LL << 40, 12345.678);
  char text[40];
  snprintf(text, sizeof text, "%g %g %g", sin(1.0), pow(2.0, 0.5), log(10.0));
  puts(text);
  int numbers[] = {5, 3, 9, 1};
  qsort(numbers, 4, sizeof numbers[0], ascending);
  printf("%d %d %d %d\n", numbers[0], numbers[1], numbers[2], numbers[3]);
  int a = 0;
  double b = 0;
  printf("%d ", sscanf("12 and 2.5", "%d and %lf", &a, &b));
  printf("%d %.1f %ld %s\n", a, b, strtol("ff", nullptr, 16), strstr("a needle", "need"));
  char *memory = (char *)realloc(memset(malloc(10), 'm', 10), 100000);
  printf("%.3s\n", memory);
  free(memory);
  fflush(stdout);
}

void cxxLibrary() {
  printf("%d %d %d %d\n", global.value, once().value, once().value, Made::count);
  std::vector<int> v{3, 1, 2};
  for (int i = 10; i < 1000; ++i) v.push_back(i);
  std::sort(v.begin(), v.end(), std::greater<int>());
  std::map<std::string, int> m{{"two", 2}, {"one", 1}};
  std::set<int> s(v.begin(), v.end());
  std::unordered_map<std::string, double> u;
  for (int i = 0; i < 100; ++i) u[std::to_string(i)] = i / 2.0;
  printf("%d %s %d %d %.1f\n", v[0], m.begin()->first.c_str(), (int)s.size(), (int)u.size(), u["33"]);
  std::function<int(int)> twice = [](int x) { return 2 * x; };
  std::optional<int> o = twice(21);
  std::variant<int, std::string> w = std::string("a longer text that needs the heap");
  auto p = std::make_shared<int>(4), q = p;
  std::mt19937 random(1);
  printf("%d %s %ld %u\n", *o, std::get<std::string>(w).c_str(), p.use_count(), (unsigned)random());
  printf("%.3f\n", std::abs(std::complex<double>(3, 4)));
  std::unique_ptr<Wide> wide(new Wide);
  printf("%d\n", (int)((uintptr_t)wide.get() % 64));
  fflush(stdout);
}

void setup() {
  Serial.begin(115200);
  cLibrary();
  cxxLibrary();
  Serial.println("done");
}

void loop() { delay(100); }
