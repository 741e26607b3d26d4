// Names of the bus pins. The board's variant has defined PIN_WIRE_SDA, PIN_SPI_SS and so on.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
#define HOCKET_PIN_CONSTANT_ constexpr
#else
#define HOCKET_PIN_CONSTANT_ static const
#endif
HOCKET_PIN_CONSTANT_ uint8_t SS = PIN_SPI_SS;
HOCKET_PIN_CONSTANT_ uint8_t MOSI = PIN_SPI_MOSI;
HOCKET_PIN_CONSTANT_ uint8_t MISO = PIN_SPI_MISO;
HOCKET_PIN_CONSTANT_ uint8_t SCK = PIN_SPI_SCK;
HOCKET_PIN_CONSTANT_ uint8_t SDA = PIN_WIRE_SDA;
HOCKET_PIN_CONSTANT_ uint8_t SCL = PIN_WIRE_SCL;
#undef HOCKET_PIN_CONSTANT_
