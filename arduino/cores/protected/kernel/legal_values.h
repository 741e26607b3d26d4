// The legal values of each field of the structures that a sketch passes to the kernel.
//
// A structure in the sketch's memory is a sequence of bytes that any loop may change at any time.
// The kernel copies it once (from_sketch.h) and compares the copy with the description here. Only
// then does it use the copy as an object: a byte of 128 never becomes a bool, nor one of 9 an
// enumeration.
//
//   template <>
//   struct Description<sys::SpiTransfer> { … kFields[] = { one line for each field, in order }; };
//
// Invariant, checked by the compiler (described): the fields are in the order of their offsets, and
// with the named gaps they cover the whole structure. A structure without a description, or with a
// field that its description omits, does not compile as a parameter.
#pragma once

#include "arduino/runtime/loops.h"
#include "arduino/runtime/system.h"
#include "kernel/base/types.h"

namespace hocket::edge {

/// A field, or a gap between two. Its value is the little-endian number in its bytes.
struct Field {
  const char* name;  // null: a gap for alignment
  uint16_t offset;
  uint16_t size;
  uint64_t lowest, highest;  // legal range, inclusive
};

constexpr uint64_t highest_of(size_t size) {
  return size >= sizeof(uint64_t) ? UINT64_MAX : (uint64_t{1} << 8 * size) - 1;
}
template <class T>
inline constexpr bool kIsNumber = __is_integral(T) && !Same<T, bool>;
template <class T>
inline constexpr bool kIsUnsigned = false;
template <class T>
  requires kIsNumber<T>
inline constexpr bool kIsUnsigned<T> = static_cast<T>(-1) > T{0};

/// An integer of which all values are legal; the code that uses it checks it.
template <class T>
  requires kIsNumber<T>
constexpr Field number(const char* name, size_t offset) {
  return {name, static_cast<uint16_t>(offset), sizeof(T), 0, UINT64_MAX};
}
template <class T>
  requires kIsNumber<T>
constexpr Field within(const char* name, size_t offset, uint64_t lowest, uint64_t highest) {
  return {name, static_cast<uint16_t>(offset), sizeof(T), lowest, highest};
}
template <class T>
  requires Same<T, bool>
constexpr Field flag(const char* name, size_t offset) {
  return {name, static_cast<uint16_t>(offset), sizeof(T), 0, 1};
}
/// An enumeration whose values begin at 0.
template <class T>
  requires __is_enum
(T) constexpr Field choice(const char* name, size_t offset, T last) {
  return {name, static_cast<uint16_t>(offset), sizeof(T), 0, static_cast<uint64_t>(last)};
}
/// An address in the sketch, of data or of code. The kernel returns it or compares it, and follows
/// it only after UserMemory has confirmed that all of it belongs to the sketch.
template <class T>
  requires __is_pointer
(T) constexpr Field address(const char* name, size_t offset) {
  return {name, static_cast<uint16_t>(offset), sizeof(void*), 0, UINT64_MAX};
}
/// An array of characters.
template <class T>
  requires __is_array
(T) && (sizeof(T{}[0]) == 1) constexpr Field text(const char* name, size_t offset) {
  return {name, static_cast<uint16_t>(offset), sizeof(T), 0, UINT64_MAX};
}
constexpr Field gap(size_t offset, size_t size) {
  return {nullptr, static_cast<uint16_t>(offset), static_cast<uint16_t>(size), 0, UINT64_MAX};
}

#define HOCKET_FIELD_(rule, member, ...) \
  edge::rule<decltype(T::member)>(#member, __builtin_offsetof(T, member) __VA_OPT__(, ) __VA_ARGS__)

/// Defined only for structures that may cross.
template <class T>
struct Description;

template <>
struct Description<sys::PinInterrupt> {
  using T = sys::PinInterrupt;
  static constexpr const char* kName = "pin interrupt";
  static constexpr Field kFields[] = {
      HOCKET_FIELD_(number, pin),           HOCKET_FIELD_(number, mode),
      HOCKET_FIELD_(address, call.handler), HOCKET_FIELD_(address, call.parameter),
      HOCKET_FIELD_(address, loop),
  };
};

template <>
struct Description<sys::PinCall> {
  using T = sys::PinCall;
  static constexpr const char* kName = "pin call";
  static constexpr Field kFields[] = {
      HOCKET_FIELD_(address, handler),
      HOCKET_FIELD_(address, parameter),
  };
};

template <>
struct Description<sys::I2cTransfer> {
  using T = sys::I2cTransfer;
  static constexpr const char* kName = "I2C transfer";
  static constexpr Field kFields[] = {
      HOCKET_FIELD_(address, out),    HOCKET_FIELD_(address, in),   HOCKET_FIELD_(number, out_size),
      HOCKET_FIELD_(number, in_size), HOCKET_FIELD_(number, hertz), HOCKET_FIELD_(number, received),
      HOCKET_FIELD_(number, address), HOCKET_FIELD_(flag, writes),  gap(28, 4),
  };
};

template <>
struct Description<sys::SpiTransfer> {
  using T = sys::SpiTransfer;
  static constexpr const char* kName = "SPI transfer";
  static constexpr Field kFields[] = {
      HOCKET_FIELD_(address, out),
      HOCKET_FIELD_(address, in),
      HOCKET_FIELD_(number, size),
      HOCKET_FIELD_(number, hertz),
      HOCKET_FIELD_(within, mode, 0, 3),
      HOCKET_FIELD_(flag, lowest_first),
      gap(26, 6),
  };
};

template <>
struct Description<sys::FifoState> {
  using T = sys::FifoState;
  static constexpr const char* kName = "FIFO's state";
  static constexpr Field kFields[] = {
      HOCKET_FIELD_(flag, has_linux),
      HOCKET_FIELD_(flag, is_open),
      gap(2, 2),
      HOCKET_FIELD_(number, available),
      HOCKET_FIELD_(number, room),
      HOCKET_FIELD_(number, records),
      HOCKET_FIELD_(number, lost),
      HOCKET_FIELD_(number, lost_bytes),
      HOCKET_FIELD_(number, corrupted),
  };
};

template <>
struct Description<sys::EdfContract> {
  using T = sys::EdfContract;
  static constexpr const char* kName = "EDF contract";
  static constexpr Field kFields[] = {
      HOCKET_FIELD_(number, deadline_ms),
      HOCKET_FIELD_(number, wcet_ms),
      HOCKET_FIELD_(number, period_ms),
      HOCKET_FIELD_(text, why_not),
  };
};

/// (A loop of the sketch's table, which the sketch cannot change; check.cpp checks it once.)
template <>
struct Description<LoopDescriptor> {
  using T = LoopDescriptor;
  static constexpr const char* kName = "loop";
  static constexpr Field kFields[] = {
      HOCKET_FIELD_(address, body),
      HOCKET_FIELD_(address, file),
      HOCKET_FIELD_(number, budget_ns),
      HOCKET_FIELD_(within, period_ns, 0, LoopDescriptor::kLongestPeriodNs),
      HOCKET_FIELD_(number, deadline_ns),
      HOCKET_FIELD_(within, stack_bytes, 0, LoopDescriptor::kLargestStack),
      HOCKET_FIELD_(number, line),
      HOCKET_FIELD_(number, id),
      HOCKET_FIELD_(number, core),
      HOCKET_FIELD_(choice, kind, LoopKind::Direct),
      HOCKET_FIELD_(flag, background),
      HOCKET_FIELD_(number, pin),
      HOCKET_FIELD_(number, mode),
      HOCKET_FIELD_(number, priority),
      HOCKET_FIELD_(number, tickets),
      HOCKET_FIELD_(choice, overrun, Overrun::Call),
      HOCKET_FIELD_(flag, suspended),
      HOCKET_FIELD_(within, slice_us, 0, LoopDescriptor::kLongestSlice),
      HOCKET_FIELD_(address, on_overrun),
  };
};

#undef HOCKET_FIELD_

/// Whether the fields cover the whole structure, in order.
template <class T>
consteval bool described() {
  size_t end = 0;
  for (const Field& field : Description<T>::kFields) {
    if (field.offset != end || field.lowest > field.highest) return false;
    end += field.size;
  }
  return end == sizeof(T);
}

/// The number in a field of a copy.
inline uint64_t value_of(const Field& field, const unsigned char* copy) {
  uint64_t value = 0;
  for (unsigned i = field.size; i > 0; --i) value = value << 8 | copy[field.offset + i - 1];
  return value;
}

namespace detail {
inline const Field* first_illegal(const Field* fields, size_t count, const unsigned char* copy) {
  for (const Field* field = fields; field != fields + count; ++field) {
    if (field->lowest == 0 && field->highest == UINT64_MAX) continue;
    const uint64_t value = value_of(*field, copy);
    if (value < field->lowest || value > field->highest) return field;
  }
  return nullptr;
}
}  // namespace detail

/// The first field with an illegal value, in a structure's bytes; null: there is none. O(bytes).
template <class T>
const Field* first_illegal(const unsigned char* bytes) {
  static_assert(described<T>(), "the structure's description leaves a field out (legal_values.h)");
  constexpr size_t kCount = sizeof Description<T>::kFields / sizeof(Field);
  return detail::first_illegal(Description<T>::kFields, kCount, bytes);
}

/// The last enumerator of an enumeration that is passed as an argument; the first one is 0.
template <class Choice>
struct LastOf;
template <>
struct LastOf<sys::PinMode> {
  static constexpr auto kLast = sys::PinMode::OutputOpenDrain;
};
template <>
struct LastOf<sys::FifoTake> {
  static constexpr auto kLast = sys::FifoTake::Exactly;
};

}  // namespace hocket::edge
