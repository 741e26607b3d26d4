volatile int i = 32767;
volatile long l = 2147483647L;
volatile byte b = 250;
volatile unsigned int u = 65535;
void setup() {
  Serial.begin(115200);
  Serial.println(sizeof(int));
  Serial.println(sizeof(double));
  Serial.println((byte)(b + 10));
  Serial.println(u + 1u);
  Serial.println(l / 1000);
  Serial.println(l % 1000);
  Serial.println((long)i * i);
  Serial.println(i >> 3);
  Serial.println((unsigned long long)l * 4 == 8589934588ULL);
  Serial.println(bitRead(b, 1));
  Serial.println(lowByte(u));
  Serial.println(highByte(0x1234));
  Serial.println(word(1, 2));
  Serial.println(_BV(5));
  Serial.println(B1010);
}
void loop() {}
