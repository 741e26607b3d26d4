// says: {"id":1,"ok":true,"t":[1,2,3],"s":"a\"b"}|{"id":2,"ok":false,"t":[2,4,6],"s":"tab\t"}
// Records as JSON, with what must be escaped.
String escaped(const String &text) {
  String all = "\"";
  for (unsigned i = 0; i < text.length(); i++) {
    char c = text[i];
    if (c == '"' || c == '\\') all += '\\';
    if (c == '\t')
      all += "\\t";
    else
      all += c;
  }
  return all + '"';
}

String record(int id, bool ok, const String &s) {
  String all = "{\"id\":" + String(id) + ",\"ok\":" + (ok ? "true" : "false") + ",\"t\":[";
  for (int i = 1; i <= 3; i++) {
    if (i > 1) all += ',';
    all += i * id;
  }
  all += "],\"s\":" + escaped(s) + '}';
  return all;
}

void setup() { Serial.begin(115200); }

void loop(1, 40, 200) {
  delay(200);
  static byte round_;
  if (round_ == 0) Serial.println(record(1, true, "a\"b"));
  if (round_ == 1) Serial.println(record(2, false, "tab\t"));
  round_++;
}

void loop(2, 1, 10) { delay(10); }
