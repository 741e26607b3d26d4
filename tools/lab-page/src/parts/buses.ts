// The pins of the board's buses, for parts that are on one: their scenario names no pin for it.

const I2C = new Set(["bme280", "mpu6050", "ds3231", "ssd1306", "i2c_registers", "eeprom_24c"]);
const SPI = new Set(["spi_registers", "sd_card", "mfrc522", "w5500"]);

const PINS: Record<string, Record<string, number>> = {
  sim: { SDA: 20, SCL: 21, MISO: 50, MOSI: 51, SCK: 52 },
  uno: { SDA: 58, SCL: 59, MISO: 12, MOSI: 11, SCK: 13 },
};

/** Names and pins of a part's connections to a bus. */
export function busPins(type: string, own: Record<string, number>, board: string): [string, number][] {
  const pins = PINS[board];
  if (!pins) return [];
  const lines = I2C.has(type) ? ["SDA", "SCL"]
    : SPI.has(type) ? ["MISO", "MOSI", "SCK"]
    : type === "max7219" && !("din" in own) ? ["MOSI", "SCK"] : [];
  return lines.map((line) => [line, pins[line]!]);
}
