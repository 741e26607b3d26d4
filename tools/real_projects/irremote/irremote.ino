// Prints what a remote control sends, by IRremote.
#include <IRremote.hpp>

void setup() {
  Serial.begin(115200);
  IrReceiver.begin(2, DISABLE_LED_FEEDBACK);
}
void loop() {
  if (!IrReceiver.decode()) return;
  if (IrReceiver.decodedIRData.protocol == NEC) {
    Serial.print(IrReceiver.decodedIRData.address, HEX);
    Serial.print(':');
    Serial.print(IrReceiver.decodedIRData.command, HEX);
    Serial.println(IrReceiver.decodedIRData.flags & IRDATA_FLAGS_IS_REPEAT ? " again" : "");
  }
  IrReceiver.resume();
}
