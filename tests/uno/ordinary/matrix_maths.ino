// says: 58 64|139 154|det -2.00|angle 0.785
// Small matrices and floats.
template <int R, int M, int C>
void multiply(const int (&a)[R][M], const int (&b)[M][C], int (&out)[R][C]) {
  for (int r = 0; r < R; r++)
    for (int c = 0; c < C; c++) {
      out[r][c] = 0;
      for (int m = 0; m < M; m++) out[r][c] += a[r][m] * b[m][c];
    }
}

void setup() { Serial.begin(115200); }

void loop(1, 30, 100) {
  delay(100);
  static bool done;
  if (done) return;
  done = true;
  const int a[2][3] = {{1, 2, 3}, {4, 5, 6}}, b[3][2] = {{7, 8}, {9, 10}, {11, 12}};
  int c[2][2];
  multiply(a, b, c);
  for (auto &row : c) Serial.println(String(row[0]) + ' ' + row[1]);
  float m[2][2] = {{1, 2}, {3, 4}};
  Serial.println("det " + String(m[0][0] * m[1][1] - m[0][1] * m[1][0]));
  Serial.print("angle ");
  Serial.println(atan2(1.0, 1.0), 3);
}

void loop(2, 1, 10) { delay(10); }
