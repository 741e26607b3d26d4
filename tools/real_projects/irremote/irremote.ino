// Prints what a remote control sends, and sends a key and its repeat, by IRremote.
#include <IRremote.hpp>

void setup() {
  Serial.begin(115200);
  IrReceiver.begin(2, DISABLE_LED_FEEDBACK);
  IrSender.begin(3);
}
void loop() {
  static bool sent = false;
  if (!sent && millis() >= 1000) {
    sent = true;
    IrSender.sendNEC(0x10, 0x22, 1);
  }
  if (!IrReceiver.decode()) return;
  if (IrReceiver.decodedIRData.protocol == NEC) {
    Serial.print(IrReceiver.decodedIRData.address, HEX);
    Serial.print(':');
    Serial.print(IrReceiver.decodedIRData.command, HEX);
    Serial.println(IrReceiver.decodedIRData.flags & IRDATA_FLAGS_IS_REPEAT ? " again" : "");
  }
  IrReceiver.resume();
}
