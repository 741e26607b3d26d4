"""What Arduino users call, in small functions, as sketches and libraries write it: names of the language's
reference and of avr-libc's headers. Each group is one source of a sketch."""

from __future__ import annotations

# ruff: noqa: E501

# By group and name, the body of a function. A line that begins with `^` stands before it, outside.
PROBES: dict[str, dict[str, str]] = {
    "language": {
        "pins": "pinMode(13, OUTPUT); digitalWrite(13, !digitalRead(13)); pinMode(A0, INPUT_PULLUP);",
        "analog": "analogReference(DEFAULT); analogWrite(9, analogRead(A0) / 4); analogRead(0);",
        "tones": "tone(8, 440); tone(8, 440, 100); noTone(8);",
        "pulses": "use(pulseIn(7, HIGH)); use(pulseInLong(7, LOW, 1000UL));",
        "shifting": "shiftOut(2, 3, MSBFIRST, 0x55); use(shiftIn(2, 3, LSBFIRST));",
        "time": "use(millis() + micros()); delay(1); delayMicroseconds(10); yield();",
        "interrupts": "attachInterrupt(digitalPinToInterrupt(2), nothing, CHANGE); "
        "detachInterrupt(digitalPinToInterrupt(2)); noInterrupts(); interrupts(); cli(); sei();",
        "handler by number": "attachInterrupt(0, nothing, RISING);",
        "bits": "int x = 0; bitSet(x, 2); bitClear(x, 1); bitWrite(x, 3, 1); "
        "use(bitRead(x, 2) + bit(3) + lowByte(x) + highByte(x) + _BV(2)); bitToggle(x, 1);",
        "math": "use(min(1, 2L) + max(1u, 2u) + abs(-3) + constrain(5, 1, 3) + sq(4) + round(2.5)); "
        "use(map(5, 0, 10, 0, 100) + radians(180) + degrees(PI) + pow(2, 3) + sqrt(4));",
        "random": "randomSeed(analogRead(0)); use(random(10) + random(5, 10));",
        "words": "use(word(1, 2) + makeWord(3) + word(4)); boolean b = true; byte n = B1010; use(b + n);",
        "characters": "use(isAlpha('a') + isDigit('1') + isWhitespace(' ') + isHexadecimalDigit('f') + "
        "isPunct('!') + isGraph('x') + toascii('a') + tolower('A') + toupper('a') + isalpha('x'));",
        "constants": "use(TWO_PI + HALF_PI + DEG_TO_RAD + RAD_TO_DEG + EULER + M_PI + LED_BUILTIN);",
        "cycles": "use(clockCyclesPerMicrosecond() + clockCyclesToMicroseconds(160) + "
        "microsecondsToClockCycles(2) + F_CPU);",
        "board": "use(NUM_DIGITAL_PINS + NUM_ANALOG_INPUTS + analogInputToDigitalPin(0) + SS + MOSI + "
        "MISO + SCK + SDA + SCL + digitalPinHasPWM(3));",
        "timer of a pin": "if (digitalPinToTimer(5) == NOT_ON_TIMER || digitalPinToTimer(3) == TIMER2B) use(1);",
        "select of a network shield": "^#if defined(PIN_SPI_SS_ETHERNET_LIB)\n"
        "^#define CHIP PIN_SPI_SS_ETHERNET_LIB\n^#elif defined(__AVR__)\n^#define CHIP 10\n^#else\n"
        '^#define CHIP PIN_SPI_SS\n^#endif\nstatic_assert(CHIP == 10, "as Ethernet looks for it");',
        "not a pin": "use(NOT_A_PIN + NOT_A_PORT + NOT_AN_INTERRUPT);",
        "sections": "uint8_t kept = SREG; cli(); use(1); SREG = kept;",
        "types without a header": "u8 a = 1; u16 b = 2; uint32_t c = 3; size_t d = 4; use(a + b + c + d);",
        "sizes": "char t[12]; use(sizeof t / sizeof(t[0]) + strlen(itoa(7, t, 2)) + strlen(ltoa(7L, t, 10)) + "
        "strlen(utoa(7u, t, 16)) + strlen(ultoa(7ul, t, 8)));",
        "wait as avr-libc": "_delay_ms(1); _delay_us(2.5);",
        "old names": "^#include <WProgram.h>\n^#include <wiring_private.h>\n"
        "use(TRUE_ + DISPLAY + SERIAL);\n^#define TRUE_ 1",
    },
    "classes": {
        "printing": "Serial.begin(9600); Serial.print(1); Serial.print('c'); Serial.print(1.5, 3); "
        'Serial.print(255, HEX); Serial.print(F("kept")); Serial.println(String("a") + 1 + \'b\' + 2.5); '
        "Serial.println(); Serial.write(65); Serial.write('a'); Serial.write((const uint8_t*)\"ab\", 2);",
        "with settings": "Serial.begin(9600, SERIAL_8N1); while (!Serial) {} Serial.end();",
        "reading": "if (Serial.available() > 0) use(Serial.read() + Serial.peek()); Serial.setTimeout(10); "
        "use(Serial.parseInt() + Serial.parseFloat()); char b[4]; use(Serial.readBytes(b, 4) + "
        'Serial.readBytesUntil(\'x\', b, 4)); use(Serial.find("ok") + Serial.findUntil("a", "b")); '
        "use(Serial.readString().length() + Serial.readStringUntil('\\n').length());",
        "flushing": "Serial.flush(); use(Serial.availableForWrite()); Serial.clearWriteError(); "
        "use(Serial.getWriteError());",
        "text": 'String s = "abc"; s += 1; s.concat("x"); s.trim(); s.toUpperCase(); s.replace("A", "b"); '
        "s.remove(0, 1); use(s.indexOf('B') + s.lastIndexOf(\"x\") + s.toInt() + s.toFloat() + s.charAt(0) + "
        's[1] + s.equals("x") + s.startsWith("b") + s.endsWith("c") + s.substring(1, 2).length()); '
        "s.setCharAt(0, 'q'); char b[4]; s.toCharArray(b, 4); s.getBytes((byte*)b, 4); s.reserve(20); "
        'use(strlen(s.c_str()) + s.compareTo("z") + (s == "q") + (s < String(3, HEX)));',
        "numbers as text": "use(String(1.5, 3).length() + String(255, HEX).length() + String(7u).length() + "
        "String(7ul, BIN).length() + String('c').length() + String((byte)3).length());",
        "a print of one's own": "^struct Own : Print { size_t write(uint8_t) override { return 1; } };\n"
        'Own own; own.print(1); own.println(F("x")); Print& p = own; p.print(2ul, HEX);',
        "a stream of one's own": "^struct Source : Stream { int available() { return 0; } int read() { return -1; }"
        " int peek() { return -1; } size_t write(uint8_t) { return 0; } void flush() {} };\n"
        "Source s; use(s.parseInt()); Stream* all[] = {&s, &Serial}; use(all[0]->available());",
        "printable": "^struct Point : Printable { size_t printTo(Print& p) const { return p.print(1); } };\n"
        "Serial.println(Point());",
        "addresses": "^#include <IPAddress.h>\nIPAddress a(192, 168, 0, 1); use(a[0]); Serial.println(a); "
        "IPAddress b = IPAddress(0ul); use(a == b); use((uint32_t)a);",
        "network": "^#include <Client.h>\n^#include <Server.h>\n^#include <Udp.h>\n"
        "Client* c = nullptr; Server* s = nullptr; UDP* u = nullptr; use(c == nullptr); use(s == nullptr); "
        "use(u == nullptr);",
        "an object named like a class": "^struct EthernetUDP { int begin(int) { return 1; } } UDP;\nuse(UDP.begin(8));",
        "declared before": "^class Print; class String; class Stream; class HardwareSerial; class IPAddress;\n"
        "HardwareSerial* port = &Serial; use(port != nullptr);",
    },
    "ports": {
        "by pin": "uint8_t port = digitalPinToPort(5); uint8_t mask = digitalPinToBitMask(5); "
        "volatile uint8_t* out = portOutputRegister(port); *out |= mask; *out &= ~mask; *out ^= mask;",
        "input": "volatile uint8_t* in = portInputRegister(digitalPinToPort(4)); "
        "use((*in & digitalPinToBitMask(4)) != 0);",
        "mode": "volatile uint8_t* mode = portModeRegister(digitalPinToPort(4)); "
        "*mode |= digitalPinToBitMask(4);",
        "none": "if (digitalPinToPort(4) == NOT_A_PORT) use(0);",
    },
    "avr": {
        "program memory": '^#include <avr/pgmspace.h>\n^const char kept[] PROGMEM = "kept"; '
        "const uint16_t list[] PROGMEM = {1, 2}; const char* const table[] PROGMEM = {kept};\n"
        'char b[8]; strcpy_P(b, kept); strncpy_P(b, kept, 4); strcat_P(b, PSTR("x")); '
        "use(strlen_P(kept) + strcmp_P(b, kept) + strncmp_P(b, kept, 2) + pgm_read_byte(kept) + "
        "pgm_read_word(list + 1) + pgm_read_dword(list) + pgm_read_byte_near(kept)); "
        "memcpy_P(b, kept, 4); strcpy_P(b, (char*)pgm_read_ptr(&table[0])); use(pgm_read_float(list)); "
        'use(strcasecmp_P(b, kept) + memcmp_P(b, kept, 2)); sprintf_P(b, PSTR("%d"), 1); '
        'snprintf_P(b, 4, PSTR("%d"), 2); use(strstr_P(b, kept) != nullptr); use(strlcpy_P(b, kept, 4)); '
        "PGM_P p = kept; use(pgm_read_byte(p)); use(strchr_P(kept, 'k') != nullptr);",
        "eeprom": "^#include <avr/eeprom.h>\n^uint8_t EEMEM stored; uint16_t EEMEM word_stored;\n"
        "eeprom_write_byte(&stored, 1); use(eeprom_read_byte(&stored)); eeprom_update_byte((uint8_t*)3, 4); "
        "eeprom_write_word(&word_stored, 5); use(eeprom_read_word(&word_stored)); float f = 1; "
        "eeprom_write_block(&f, (void*)8, sizeof f); eeprom_read_block(&f, (const void*)8, sizeof f); "
        "use(eeprom_read_dword((uint32_t*)12) + eeprom_read_dword((unsigned long*)12)); eeprom_update_block(&f, (void*)8, 4); use(E2END); "
        "eeprom_busy_wait(); use(eeprom_is_ready()); use(eeprom_read_float((float*)8));",
        "interrupts": "^#include <avr/interrupt.h>\ncli(); sei();",
        "atomic": "^#include <util/atomic.h>\nATOMIC_BLOCK(ATOMIC_RESTORESTATE) { use(1); } "
        "ATOMIC_BLOCK(ATOMIC_FORCEON) { use(2); }",
        "watchdog": "^#include <avr/wdt.h>\nwdt_reset(); wdt_disable(); use(WDTO_1S);",
        "sleep": "^#include <avr/sleep.h>\nset_sleep_mode(SLEEP_MODE_IDLE); sleep_enable(); sleep_mode(); "
        "sleep_cpu(); sleep_disable();",
        "power": "^#include <avr/power.h>\npower_adc_disable(); power_adc_enable(); power_twi_disable(); "
        "power_all_enable();",
        "checksums": "^#include <util/crc16.h>\nuse(_crc16_update(0, 1) + _crc_ccitt_update(0, 1) + "
        "_crc_xmodem_update(0, 1) + _crc_ibutton_update(0, 1));",
        "parity": "^#include <util/parity.h>\nuse(parity_even_bit(3));",
        "bits": "^#include <avr/io.h>\nuint8_t r = 0; use(bit_is_set(r, 1) + bit_is_clear(r, 2)); "
        "loop_until_bit_is_clear(r, 1);",
        "delay": "^#include <util/delay.h>\n_delay_us(1);",
        "sbi": "^#include <wiring_private.h>\nstatic uint8_t r; use(_BV(3)); volatile uint8_t& s = r; "
        "sbi(s, 2); cbi(s, 2);",
        "float as text": "char b[16]; use(strlen(dtostrf(1.5, 6, 2, b)));",
        "delay loops": "^#include <util/delay_basic.h>\n_delay_loop_1(3); _delay_loop_2(4);",
        "tables of kept texts": '^const char first[] PROGMEM = "a";\n'
        "^const __FlashStringHelper* const texts[] PROGMEM = {(const __FlashStringHelper*)first, nullptr};\n"
        '^inline int of_a_header() { return pgm_read_byte(PSTR("b")); }\n'
        "Serial.print((const __FlashStringHelper*)pgm_read_ptr(&texts[0])); use(of_a_header());",
    },
    "c": {
        "formats": 'char b[24]; use(sprintf(b, "%d %s %u %lx %c", 1, "a", 2u, 3ul, \'c\')); '
        'use(snprintf(b, 8, "%03d", 7)); int n = 0; use(sscanf("12", "%d", &n)); use(n);',
        "numbers": 'use(atoi("1") + atol("2") + atof("3") + strtol("4", nullptr, 10) + strtoul("5", nullptr, 16) '
        '+ strtod("6", nullptr)); use(labs(-1L) + abs(-2)); div_t d = div(7, 2); use(d.quot);',
        "text": 'char b[16] = "a,b"; use(strtok(b, ",") != nullptr); use(strchr(b, \'a\') != nullptr); '
        'use(strstr(b, "b") != nullptr); use(strcasecmp(b, "A") + strncasecmp(b, "A", 1)); char* p = b; '
        'use(strsep(&p, ",") != nullptr); use(strcspn(b, ",") + strspn(b, "a") + strlen(strupr(b))); '
        "char* rest = nullptr; use(strtok_r(b, \",\", &rest) != nullptr); use(strrchr(b, 'a') != nullptr);",
        "memory": "void* m = malloc(4); m = realloc(m, 8); memset(m, 0, 8); memmove(m, (char*)m + 1, 2); "
        "use(memcmp(m, m, 2)); free(m); m = calloc(1, 2); free(m); int* n = new int[3]; delete[] n;",
        "floats": "use(isnan(NAN) + isinf(INFINITY) + fabs(-1.0) + fmod(5, 3) + floor(1.5) + ceil(1.5) + "
        "trunc(1.5) + sin(1) + cos(1) + tan(1) + asin(1) + acos(1) + atan(1) + atan2(1, 2) + exp(1) + log(2) "
        "+ log10(3) + hypot(3, 4) + square(3) + cbrt(8) + lround(1.5) + ldexp(1, 2));",
        "sorting": "^int less(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }\n"
        "int list[] = {2, 1}; qsort(list, 2, sizeof(int), less); "
        "use(bsearch(list, list, 2, sizeof(int), less) != nullptr);",
        "limits": "use(INT16_MAX + UINT8_MAX + INT32_MAX); long long x = 1; use(x << 40);",
        "jumps": "^#include <setjmp.h>\njmp_buf here; if (setjmp(here) == 0 && never) longjmp(here, 1);",
        "a stream for printf": "^int put(char c, FILE*) { Serial.write(c); return 0; }\n^FILE out;\n"
        'fdev_setup_stream(&out, put, nullptr, _FDEV_SETUP_WRITE); stdout = &out; printf("%d", 1); '
        'fprintf(&out, "%d", 2); printf_P(PSTR("%d"), 3);',
        "free memory": "^extern int __heap_start; extern char* __brkval;\n"
        "char top; use((long)(&top - (__brkval == 0 ? (char*)&__heap_start : __brkval)));",
        "dated": "Serial.print(__DATE__); Serial.print(F(__TIME__)); Serial.print(__FILE__);",
    },
    "libraries": {
        "Wire": "^#include <Wire.h>\nWire.begin(); Wire.setClock(400000); Wire.beginTransmission(8); Wire.write(1); "
        'Wire.write((byte*)"ab", 2); use(Wire.endTransmission() + Wire.requestFrom(8, 2)); '
        "while (Wire.available()) use(Wire.read()); Wire.onReceive([](int) {}); Wire.onRequest([] {}); "
        "Wire.setWireTimeout(3000, true); use(Wire.getWireTimeoutFlag()); Wire.clearWireTimeoutFlag(); "
        "use(Wire.requestFrom(8, 2, true)); Wire.end();",
        "SPI": "^#include <SPI.h>\nSPI.begin(); SPI.beginTransaction(SPISettings(1000000, MSBFIRST, SPI_MODE0)); "
        "use(SPI.transfer(1) + SPI.transfer16(2)); byte b[2] = {}; SPI.transfer(b, 2); SPI.endTransaction(); "
        "SPI.setBitOrder(MSBFIRST); SPI.setDataMode(SPI_MODE1); SPI.setClockDivider(SPI_CLOCK_DIV4); SPI.end();",
        "EEPROM": "^#include <EEPROM.h>\nEEPROM.write(0, 1); EEPROM.update(1, 2); use(EEPROM.read(0) + EEPROM[1]); "
        "EEPROM[2] = 3; float f = 1; EEPROM.put(4, f); EEPROM.get(4, f); use(EEPROM.length()); "
        "for (auto cell : EEPROM) use(cell);",
        "Servo": "^#include <Servo.h>\nServo s; s.attach(9); s.attach(9, 600, 2400); s.write(90); "
        "s.writeMicroseconds(1500); use(s.read() + s.readMicroseconds() + s.attached()); s.detach();",
        "SoftwareSerial": "^#include <SoftwareSerial.h>\nSoftwareSerial s(10, 11); s.begin(9600); s.listen(); "
        "use(s.available() + s.read() + s.isListening() + s.overflow()); s.write('a'); s.print(1); s.end();",
    },
}

# Where a name is not on all boards.
ONLY_ON = {"a stream for printf": ("uno",), "free memory": ("uno",)}


def source_of(group: str, board: str) -> tuple[str, dict[int, str]]:
    """A group's C++ for a board, and the probe that each line belongs to."""
    lines = [
        "#include <Arduino.h>",
        "extern volatile bool never;",
        "template <typename T>",
        "void use(T x);",
    ]
    lines += ["void nothing();"]
    owners: dict[int, str] = {}
    calls = []
    for number, (name, body) in enumerate(PROBES[group].items()):
        if board not in ONLY_ON.get(name, (board,)):
            continue
        before = [line[1:] for line in body.splitlines() if line.startswith("^")]
        inside = [line for line in body.splitlines() if not line.startswith("^")]
        for line in (*before, f"static void probe{number}() {{", *inside, "}"):
            lines.append(line)
            owners[len(lines)] = name
        calls.append(f"probe{number}();")
    lines += [f"void probe_{group}() {{ {' '.join(calls)} }}", ""]
    return "\n".join(lines), owners
