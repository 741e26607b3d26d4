// A JSON value, made to be written once: members and items keep the order in which they were added.
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
  Json(double value);             // finite; the shortest text that reads as the same number
  Json(const char* text);         // bytes that are no UTF-8 become U+FFFD
  Json(const std::string& text);  // the same
  Json(std::initializer_list<Member> members) : kind_(Kind::Object), members_(members) {}
  template <class T>
  Json(const std::vector<T>& items) : kind_(Kind::Array) {
    for (const T& item : items) push_back(item);
  }

  static Json array() { return Json(std::vector<int>()); }
  /// What is JSON already.
  static Json written(std::string json);

  void push_back(Json item) { members_.emplace_back("", std::move(item)); }
  std::size_t size() const { return members_.size(); }
  /// The member of this name; a new one, null, at the end where there is none.
  Json& operator[](const std::string& key);

  /// One member or item a line, indented by a space for each level.
  std::string str() const;

 private:
  enum class Kind { Scalar, Array, Object };
  void append_to(std::string& result, unsigned level) const;

  Kind kind_ = Kind::Scalar;
  std::string text_;             // of a scalar
  std::vector<Member> members_;  // an item has no name
};

}  // namespace hocket::program
