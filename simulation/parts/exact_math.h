// Exponential, sine and cosine that give the same bits on every machine.
//
// The C library's functions differ in the last bit between versions and processors, and a run must
// repeat to the byte. These functions use only IEEE 754 additions, multiplications and divisions in
// a fixed order (the target is compiled with -ffp-contract=off). Their error is below 1e-12, far
// below the accuracy of a vehicle's model.
#pragma once

#include <cmath>
#include <cstdint>

namespace hocket::sim::exact {

inline double metres(int64_t nanometres) {
  return static_cast<double>(nanometres) * 1e-9;
}
/// Rounds to the nearest whole number; halves are rounded up.
inline int64_t rounded(double value) {
  return static_cast<int64_t>(std::floor(value + 0.5));
}

/// e to the power of -x, for x >= 0.
inline double decay(double x) {
  if (x > 700.0) return 0.0;
  int halvings = 0;
  while (x > 0.5) {
    x *= 0.5;
    ++halvings;
  }
  double sum = 1.0;
  for (int n = 14; n >= 1; --n) sum = 1.0 - x * sum / n;
  while (halvings-- > 0) sum *= sum;
  return sum;
}

/// Sine of an angle in radians.
inline double sine(double angle) {
  constexpr double kTurn = 6.283185307179586477;
  angle -= kTurn * std::floor(angle / kTurn + 0.5);  // to -π … π
  if (angle > kTurn / 4) angle = kTurn / 2 - angle;
  if (angle < -kTurn / 4) angle = -kTurn / 2 - angle;
  const double square = angle * angle;
  double sum = 1.0;
  for (int n = 10; n >= 1; --n) sum = 1.0 - square * sum / ((2 * n) * (2 * n + 1));
  return angle * sum;
}

/// Exactly 1 for 0: a vehicle that drives straight stays on its line.
inline double cosine(double angle) {
  if (angle == 0.0) return 1.0;
  return sine(angle + 1.5707963267948966192);
}

}  // namespace hocket::sim::exact
