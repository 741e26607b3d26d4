// A Maxim DS3231: clock and calendar with a thermometer (data sheet 19-5170, tables 1 and 2).
//
// Its time advances exactly with the run's, in 24-hour mode unless a 12-hour time is written. The
// alarm registers store what is written, but alarms never occur.

#include <cstdio>

#include "simulation/parts/profile.h"
#include "simulation/parts/register_device.h"

namespace hocket::sim {
namespace {

constexpr int64_t kDay = 86'400;

uint8_t bcd(int64_t value) {
  return static_cast<uint8_t>(value / 10 * 16 + value % 10);
}
int64_t from_bcd(unsigned value) {
  return (value >> 4) * 10 + (value & 15);
}

struct Date {
  int64_t year, month, day;  // month and day from 1
};

bool is_leap(int64_t year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}
int64_t days_in(int64_t year, int64_t month) {
  constexpr int64_t kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return kDays[month - 1] + (month == 2 && is_leap(year) ? 1 : 0);
}
/// Days since 2000-01-01, which was a Saturday.
int64_t days_to(const Date& date) {
  int64_t days = date.day - 1;
  for (int64_t year = 2000; year < date.year; ++year) days += is_leap(year) ? 366 : 365;
  for (int64_t month = 1; month < date.month; ++month) days += days_in(date.year, month);
  return days;
}
Date date_of(int64_t days) {
  Date date{2000, 1, 1};
  while (days >= (is_leap(date.year) ? 366 : 365)) days -= is_leap(date.year++) ? 366 : 365;
  while (days >= days_in(date.year, date.month)) days -= days_in(date.year, date.month++);
  date.day = days + 1;
  return date;
}

class Ds3231 final : public RegisterDevice {
  static constexpr uint8_t kControl = 0x0e, kStatus = 0x0f, kTemperature = 0x11, kRegisters = 0x13;
  static constexpr uint8_t kStopped = 1
                                      << 7;  // the oscillator was stopped, and the time is invalid

 public:
  Ds3231(Workbench& bench, Section& section)
      : RegisterDevice(bench, section, 0x68), temperature_(profile(section)) {
    const std::string time = section.text_or("time", "");
    if (time.empty()) {
      registers_[kStatus] = kStopped;  // as after an empty battery
    } else {
      set_out(section, time);
    }
    registers_[kControl] = 0x1c;
  }

  void facts(Facts& facts, Nanos end) const override {
    RegisterDevice::facts(facts, end);
    const int64_t seconds = seconds_at(end);
    const Date date = date_of(seconds / kDay);
    char text[80];
    std::snprintf(text, sizeof text, "%04d-%02d-%02d %02d:%02d:%02d", static_cast<int>(date.year),
                  static_cast<int>(date.month), static_cast<int>(date.day),
                  static_cast<int>(seconds % kDay / 3600), static_cast<int>(seconds / 60 % 60),
                  static_cast<int>(seconds % 60));
    facts.text("time", text);
    facts.flag("was_set", was_set_);
  }

 private:
  static Profile profile(Section& section) {
    std::vector<Item> items = section.list("temperature");
    if (items.empty()) items.emplace_back(section.line(), "temperature", "at=0 is=25000");
    return Profile(items, -40'000, 85'000, 0);
  }

  void set_out(const Section& section, const std::string& time) {
    int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
    char end = 0;
    const int read = std::sscanf(time.c_str(), "%4d-%2d-%2d %2d:%2d:%2d%c", &year, &month, &day,
                                 &hour, &minute, &second, &end);
    const bool right = read == 6 && year >= 2000 && year < 2200 && month >= 1 && month <= 12 &&
                       day >= 1 && day <= days_in(year, month) && hour >= 0 && hour < 24 &&
                       minute >= 0 && minute < 60 && second >= 0 && second < 60;
    if (!right) section.fail("needs a time as in 2026-11-23 15:00:00, from 2000 to 2199");
    base_ = days_to({year, month, day}) * kDay + hour * 3600 + minute * 60 + second;
  }

  int64_t seconds_at(Nanos now) const {
    return base_ + static_cast<int64_t>((now - base_at_) / 1'000'000'000);
  }

  /// A read takes the time together (data sheet, «Address Map»).
  void latch(Nanos now) override {
    const int64_t seconds = seconds_at(now), days = seconds / kDay, hour = seconds % kDay / 3600;
    const Date date = date_of(days);
    registers_[0] = bcd(seconds % 60);
    registers_[1] = bcd(seconds / 60 % 60);
    registers_[2] = twelve_hours_ ? static_cast<uint8_t>(0x40 | (hour >= 12 ? 0x20 : 0) |
                                                         bcd(hour % 12 == 0 ? 12 : hour % 12))
                                  : bcd(hour);
    registers_[3] = static_cast<uint8_t>((days + weekday_) % 7 + 1);
    registers_[4] = bcd(date.day);
    registers_[5] = static_cast<uint8_t>(bcd(date.month) | (date.year >= 2100 ? 0x80 : 0));
    registers_[6] = bcd(date.year % 100);
    const int64_t quarters = temperature_.at(now) * 4 / 1000;
    registers_[kTemperature] = static_cast<uint8_t>(quarters >> 2);
    registers_[kTemperature + 1] = static_cast<uint8_t>(quarters << 6);
  }

  uint8_t get(Nanos, uint8_t number) override { return registers_[number % kRegisters]; }
  uint8_t after(uint8_t number) const override {
    return static_cast<uint8_t>((number + 1) % kRegisters);
  }

  void set(Nanos now, uint8_t number, uint8_t value) override {
    number %= kRegisters;
    if (number > 6) {
      if (number < kTemperature) registers_[number] = value;
      return;
    }
    if (!writing_) latch(now);
    writing_ = true;
    registers_[number] = value;
    if (number == 3) sets_weekday_ = true;
  }

  /// Registers written in one transfer take effect together.
  void ends(Nanos now) override {
    if (!writing_) return;
    writing_ = false;
    was_set_ = true;
    const unsigned hours = registers_[2];
    twelve_hours_ = (hours & 0x40) != 0;
    const int64_t hour = twelve_hours_
                             ? from_bcd(hours & 0x1f) % 12 + ((hours & 0x20) != 0 ? 12 : 0)
                             : from_bcd(hours & 0x3f);
    const Date date{2000 + from_bcd(registers_[6]) + ((registers_[5] & 0x80) != 0 ? 100 : 0),
                    std::clamp<int64_t>(from_bcd(registers_[5] & 0x1f), 1, 12),
                    std::max<int64_t>(from_bcd(registers_[4] & 0x3f), 1)};
    const int64_t days = days_to(date);
    if (sets_weekday_) weekday_ = ((registers_[3] & 7) + 6 - days % 7 + 7) % 7;
    sets_weekday_ = false;
    base_ =
        days * kDay + hour * 3600 + from_bcd(registers_[1]) * 60 + from_bcd(registers_[0] & 0x7f);
    base_at_ = now;
  }

  Profile temperature_;
  uint8_t registers_[kRegisters] = {};
  int64_t base_ = 0;  // seconds since 2000, at base_at_
  Nanos base_at_ = 0;
  int64_t weekday_ = 5;  // of 2000-01-01, with Monday as 0: a Saturday
  bool twelve_hours_ = false, was_set_ = false, writing_ = false, sets_weekday_ = false;
};

}  // namespace

std::unique_ptr<Part> make_ds3231(Workbench& bench, Section& section) {
  return std::make_unique<Ds3231>(bench, section);
}

}  // namespace hocket::sim
