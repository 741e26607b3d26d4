// A servo follows a knob. One loop reads and moves, another one reports: printing never delays the servo.
//
// Parts: a potentiometer on A0, a servo on pin 9.
#include <Servo.h>

const int KNOB = A0;
const int SERVO = 9;

Servo servo;
Channel<int> angle;

void setup() {
  Serial.begin(9600);
  servo.attach(SERVO);
}

// Move: 50 times a second, as often as a servo listens.
void loop(1, 1ms, 20ms) {
  int degrees = map(analogRead(KNOB), 0, 1023, 0, 180);
  servo.write(degrees);
  channelWrite(angle, degrees);
  delay(20);
}

// Tell, when the angle has changed by ten degrees.
void loop(2, 5ms, 100ms) {
  static int told = -100;
  int degrees = channelRead(angle);
  if (abs(degrees - told) >= 10) {
    Serial.print("angle ");
    Serial.println(degrees);
    told = degrees;
  }
  delay(100);
}
