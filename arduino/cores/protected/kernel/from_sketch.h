// The only way for data of a sketch into the kernel: arguments, structures, memory, and records
// that the kernel reads in the sketch's memory.
//
//   registers ─▶ Entry<call> ─▶ Argument<P>::take for each parameter of the call, by its type
//                                 unsigned, bool      one word each: cut to its width
//                                 Choice<E>           an enumeration; read it with get()
//                                 Readable, Writable  address and size; use them with checked()
//                                 StructureAt<T>      copied once, compared with legal_values.h
//                                 CountAt, TextAt     a semaphore's word; a text
//   memory    ─▶ SharedRecord<T>    shared_record.h: one load for each question, numbers only
//
// A call has no other parameters: an enumeration, a pointer or a structure does not compile as one.
// The result is always a valid value of its type. Whether a pin or port exists is checked, and
// answered, by the code that uses it.
#pragma once

#include "arduino/cores/protected/kernel/domain.h"
#include "arduino/cores/protected/kernel/faults.h"
#include "arduino/cores/protected/kernel/legal_values.h"
#include "arduino/cores/protected/kernel/own_stack.h"
#include "processor.h"

namespace hocket::edge {

using Word = Processor::Word;
using Frame = Processor::Frame;

/// Stops a loop that passed unusable memory. `code`: the instruction that called.
[[noreturn]] void stop_for_memory(Word address, const char* what, size_t alignment, uint64_t code);
[[noreturn]] void stop_for_value(const char* structure, const Field& field, uint64_t value,
                                 uint64_t code);

/// Identifies the caller, for reports of its errors.
class Caller {
 public:
  explicit Caller(const Frame* frame) : frame_(frame) {}
  /// Of the function that called.
  uint64_t code() const { return frame_->caller(); }
  /// The call cannot be answered: a fault of the loop.
  [[noreturn]] void stop(const char* text) const { faults::stop_caller(text, code()); }

 private:
  const Frame* frame_;  // (passed by value, so that it stays in a register)
};

/// An argument that should be an enumerator.
template <class E>
class Choice {
  static_assert(__is_enum(E));

 public:
  using TakesOneWord = void;
  explicit constexpr Choice(Word word) : raw_(static_cast<Raw>(word)) {}
  /// Returns true if it is a valid enumerator, and stores it in `to`.
  [[nodiscard]] constexpr bool get(E& to) const {
    if (raw_ > static_cast<Raw>(LastOf<E>::kLast)) return false;
    to = static_cast<E>(raw_);
    return true;
  }

 private:
  using Raw = __underlying_type(E);
  static_assert(static_cast<Raw>(-1) > Raw{0}, "an enumeration that crosses has no values below 0");
  Raw raw_;
};

/// `size` bytes at an address. Byte: `const uint8_t` to read, `uint8_t` to write.
template <class Byte>
class Bytes {
 public:
  struct Checked {
    Byte* data;
    size_t size;
  };
  constexpr Bytes(Word address, Word size) : address_(address), size_(size) {}
  constexpr bool is_empty() const { return size_ == 0; }
  /// The bytes, if the sketch may access them so; otherwise a fault of the caller. Other loops may
  /// change them at any time.
  [[gnu::always_inline]] Checked checked(Caller caller) const {
    check(caller);
    return {reinterpret_cast<Byte*>(address_), size_};
  }
  [[gnu::always_inline]] void check(Caller caller) const {
    const sketch::UserMemory& memory = Domain::current().memory();
    const bool own = Same<Byte, const uint8_t> ? memory.readable(address_, size_)
                                               : memory.writable(address_, size_);
    if (!own) stop_for_memory(address_, "memory", 1, caller.code());
  }

 private:
  Word address_, size_;
};
using Readable = Bytes<const uint8_t>;
using Writable = Bytes<uint8_t>;

/// The same for an address and a size in a structure's copy.
template <class T>
Readable readable(T address, size_t size) {
  return {reinterpret_cast<Word>(address), size};
}
template <class T>
Writable writable(T address, size_t size) {
  return {reinterpret_cast<Word>(address), size};
}

/// The address of a structure that a call reads or fills in.
template <class T>
class StructureAt {
  static_assert(described<T>(), "the structure's description leaves a field out (legal_values.h)");

 public:
  using TakesOneWord = void;
  explicit constexpr StructureAt(Word address) : address_(address) {}

  /// A copy, made once, because other loops may change the original. A fault of the caller if the
  /// memory is not the sketch's, or if a field has an illegal value.
  [[gnu::always_inline]] T read(Caller caller) const {
    check(caller);
    struct Raw {
      alignas(T) unsigned char bytes[sizeof(T)];
    } raw;
    __builtin_memcpy(&raw, reinterpret_cast<const void*>(address_), sizeof raw);
    asm volatile("" : "+m"(raw));  // from here on the compiler uses only the copy
    if (const Field* const wrong = first_illegal<T>(raw.bytes)) [[unlikely]]
      stop_for_value(Description<T>::kName, *wrong, value_of(*wrong, raw.bytes), caller.code());
    return __builtin_bit_cast(T, raw);
  }

  /// A fault of the caller unless the sketch may write the whole structure.
  [[gnu::always_inline]] void check(Caller caller) const {
    const port::Stack& stack = own_stack();
    // Structures are usually on the caller's stack.
    const Word offset = address_ - reinterpret_cast<Word>(stack.base);
    const bool own = offset < stack.size ? sizeof(T) <= stack.size - offset
                                         : Domain::current().memory().writable(address_, sizeof(T));
    if (!own || address_ % alignof(T) != 0) [[unlikely]]
      stop_for_memory(address_, "memory", alignof(T), caller.code());
  }
  /// After read() or check(). Writes the whole structure, with its gaps as zeros, so that nothing
  /// of the kernel's stack leaks.
  [[gnu::always_inline]] void write_checked(const T& value) const {
    if constexpr (__has_unique_object_representations(T)) {
      *reinterpret_cast<T*>(address_) = value;
    } else {
      auto* const to = reinterpret_cast<unsigned char*>(address_);
      const auto* const from = reinterpret_cast<const unsigned char*>(&value);
      for (const Field& field : Description<T>::kFields) {
        for (size_t i = field.offset; i < size_t{field.offset} + field.size; ++i)
          to[i] = field.name == nullptr ? 0 : from[i];
      }
    }
  }

 private:
  Word address_;
};

/// A semaphore's count: an aligned word that the sketch may write. It may hold any int;
/// kernel/task/word_queues.h trusts none.
class CountAt {
 public:
  using TakesOneWord = void;
  explicit constexpr CountAt(Word address) : address_(address) {}
  [[gnu::always_inline]] int& own(const runtime::Program& program, Caller caller) const {
    if (!static_cast<const Domain&>(program).owns_word(address_, sizeof(int))) [[unlikely]]
      stop_for_memory(address_, "a semaphore", alignof(int), caller.code());
    return *reinterpret_cast<int*>(address_);
  }

 private:
  Word address_;
};

/// A text that should end with a 0.
class TextAt {
 public:
  using TakesOneWord = void;
  explicit constexpr TextAt(Word address) : address_(address) {}
  /// Returns true if all of it may be read and it is no longer than `most`. (It can change right
  /// afterwards. The kernel copies its characters and does not interpret them.)
  [[nodiscard]] bool get(const char*& text, size_t& length, size_t most) const {
    length = Domain::current().memory().text(address_, most);
    text = reinterpret_cast<const char*>(address_);
    return length != sketch::UserMemory::kNoText;
  }

 private:
  Word address_;
};

// --- Conversion of the caller's registers to a call's parameters ---

template <class T>
inline constexpr bool kNever = false;

template <class P>
struct Argument {
  static_assert(kNever<P>,
                "a parameter of this type has no check between the sketch and the kernel "
                "(from_sketch.h)");
};
template <class P>
  requires kIsUnsigned<P>
struct Argument<P> {
  static constexpr unsigned kWords = 1;
  static P take(const Word* words, const Frame*) { return static_cast<P>(words[0]); }
};
/// The procedure call standard leaves all but the lowest byte undefined. Any byte is true or false.
template <>
struct Argument<bool> {
  static constexpr unsigned kWords = 1;
  static bool take(const Word* words, const Frame*) { return (words[0] & 1) != 0; }
};
template <class P>
  requires requires { typename P::TakesOneWord; }
struct Argument<P> {
  static constexpr unsigned kWords = 1;
  static P take(const Word* words, const Frame*) { return P(words[0]); }
};
template <class Byte>
struct Argument<Bytes<Byte>> {
  static constexpr unsigned kWords = 2;
  static Bytes<Byte> take(const Word* words, const Frame*) { return {words[0], words[1]}; }
};
template <>
struct Argument<Caller> {
  static constexpr unsigned kWords = 0;
  static Caller take(const Word*, const Frame* frame) { return Caller(frame); }
};

/// A call's result, in a register.
template <class R>
constexpr Word word_of(R value) {
  if constexpr (__is_pointer(R)) {
    return reinterpret_cast<Word>(value);
  } else if constexpr (__is_integral(R) && !Same<R, bool>) {
    return static_cast<Word>(static_cast<int64_t>(value));
  } else {
    return static_cast<Word>(value);
  }
}

template <unsigned... kIndices>
struct Indices {};
template <class T, T... kIndices>
using IndicesOf = Indices<kIndices...>;

/// The table entry of a call: converts registers to parameters, and the result to a register.
template <auto kCall, class Function = decltype(kCall)>
struct Entry;
template <auto kCall, class R, class... P>
struct Entry<kCall, R (*)(P...)> {
  static constexpr unsigned kWords = (0u + ... + Argument<P>::kWords);

  static Word call(Word a, Word b, Word c, Word d, const Frame* frame) {
    return convert(a, b, c, d, frame, __make_integer_seq<IndicesOf, unsigned, sizeof...(P)>{});
  }

 private:
  /// The index of the first word of a parameter.
  static consteval unsigned first_of(unsigned parameter) {
    constexpr unsigned kEach[] = {Argument<P>::kWords..., 0};
    unsigned first = 0;
    for (unsigned i = 0; i < parameter; ++i) first += kEach[i];
    return first;
  }
  template <unsigned... k>
  [[gnu::always_inline]] static Word convert(Word a, Word b, Word c, Word d,
                                             [[maybe_unused]] const Frame* frame, Indices<k...>) {
    [[maybe_unused]] const Word words[] = {a, b, c, d, 0};
    if constexpr (Same<R, void>) {
      kCall(Argument<P>::take(words + first_of(k), frame)...);
      return 0;
    } else {
      return word_of(kCall(Argument<P>::take(words + first_of(k), frame)...));
    }
  }
};

}  // namespace hocket::edge
