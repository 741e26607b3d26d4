// The pins of the board's buses and serial ports, for parts that are on one: their scenario names no pin for it.

const I2C = new Set(["bme280", "mpu6050", "ds3231", "ssd1306", "i2c_registers", "eeprom_24c"]);
const SPI = new Set(["spi_registers", "sd_card", "mfrc522", "w5500"]);
const TALKS_ONLY = new Set(["gps", "ahrs"]); // these read nothing of a port

/** Names and pins of a part's connections to a bus or a port. `pins`: those of the board. */
export function busPins(type: string, own: Record<string, number>, pins: Record<string, number>, port: number | null = null): [string, number][] {
  const lines = port !== null ? serialLines(type, port)
    : I2C.has(type) ? ["SDA", "SCL"]
    : SPI.has(type) ? ["MISO", "MOSI", "SCK"]
    : type === "max7219" && !("din" in own) ? ["MOSI", "SCK"] : [];
  return lines.flatMap((line): [string, number][] => (pins[line] === undefined ? [] : [[line, pins[line]]]));
}

function serialLines(type: string, port: number): string[] {
  const number = port === 0 ? "" : String(port);
  return TALKS_ONLY.has(type) ? [`RX${number}`] : [`RX${number}`, `TX${number}`];
}
