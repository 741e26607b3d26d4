// Two tasks: one each three ticks, the other waits for what the first one sends.
#include <Arduino_FreeRTOS.h>
#include <queue.h>

QueueHandle_t numbers;

void send(void*) {
  TickType_t last = xTaskGetTickCount();
  for (unsigned n = 1;; n++) {
    digitalWrite(8, !digitalRead(8));
    xQueueSend(numbers, &n, 0);
    vTaskDelayUntil(&last, 3);
  }
}

void tell(void*) {
  for (unsigned n;;) {
    xQueueReceive(numbers, &n, portMAX_DELAY);
    if (n % 10 == 0) Serial.println(n);
  }
}

void setup() {
  Serial.begin(115200);
  pinMode(8, OUTPUT);
  numbers = xQueueCreate(4, sizeof(unsigned));
  xTaskCreate(send, "send", 128, NULL, 2, NULL);
  xTaskCreate(tell, "tell", 128, NULL, 1, NULL);
}
void loop() {}
