// A JSON value for output: members and items keep the order in which they were added.
//
//   Json facts = {{"id", 1}, {"text", "…"}, {"bound_us", nullptr}};
//   facts["stack"] = 512;
//   facts.str()
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace hocket::program {

class Json {
 public:
  using Member = std::pair<std::string, Json>;

  Json(std::nullptr_t) : text_("null") {}
  Json(bool value) : text_(value ? "true" : "false") {}
  Json(std::integral auto value) : text_(std::to_string(value)) {}
  Json(double value);             // finite; the shortest text that reads back as the same number
  Json(const char* text);         // bytes that are not UTF-8 become U+FFFD
  Json(const std::string& text);  // the same
  Json(std::initializer_list<Member> members) : kind_(Kind::Object), members_(members) {}
  template <class T>
  Json(const std::vector<T>& items) : kind_(Kind::Array) {
    for (const T& item : items) push_back(item);
  }

  static Json array() { return Json(std::vector<int>()); }
  /// Wraps a text that is already JSON.
  static Json written(std::string json);

  void push_back(Json item) { members_.emplace_back("", std::move(item)); }
  std::size_t size() const { return members_.size(); }
  /// The member with this name; if there is none, appends one with the value null.
  Json& operator[](const std::string& key);

  /// One member or item per line, indented by one space per level.
  std::string str() const;

 private:
  enum class Kind { Scalar, Array, Object };
  void append_to(std::string& result, unsigned level) const;

  Kind kind_ = Kind::Scalar;
  std::string text_;             // of a scalar
  std::vector<Member> members_;  // items have no names
};

}  // namespace hocket::program
