// The pins of the board's buses and serial ports, for parts that are on one: their scenario names no pin for it.

const I2C = new Set(["bme280", "mpu6050", "ds3231", "ssd1306", "i2c_registers", "eeprom_24c"]);
const SPI = new Set(["spi_registers", "sd_card", "mfrc522", "w5500"]);
const TALKS_ONLY = new Set(["gps", "ahrs"]); // these read nothing of a port

const PINS: Record<string, Record<string, number>> = {
  sim: {
    SDA: 20, SCL: 21, MISO: 50, MOSI: 51, SCK: 52,
    RX: 0, TX: 1, RX1: 19, TX1: 18, RX2: 17, TX2: 16, RX3: 15, TX3: 14,
  },
  uno: { SDA: 58, SCL: 59, MISO: 12, MOSI: 11, SCK: 13, RX: 0, TX: 1 },
};

/** Names and pins of a part's connections to a bus or a port. */
export function busPins(type: string, own: Record<string, number>, board: string, port: number | null = null): [string, number][] {
  const pins = PINS[board];
  if (!pins) return [];
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
