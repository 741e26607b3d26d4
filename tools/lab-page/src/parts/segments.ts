// What digits of seven segments and lights of three colours are told as, reckoned for their drawings.

/** `06 db`: eight values for each digit, a to g and the point, as the drawing has them. */
export function segmentValues(told: unknown): number[] | null {
  if (typeof told !== "string" || !/^[0-9a-f]{2}( [0-9a-f]{2})*$/.test(told)) return null;
  return told.split(" ").flatMap((digit) => {
    const bits = parseInt(digit, 16);
    return Array.from({ length: 8 }, (_, bit) => (bits >> bit) & 1);
  });
}

/** `ff8000`: red, green, blue from 0 to 255; dark if it is no colour. */
export function channels(told: unknown): [number, number, number] {
  if (typeof told !== "string" || !/^[0-9a-f]{6}$/.test(told)) return [0, 0, 0];
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => parseInt(told.slice(at, at + 2), 16));
  return [red, green, blue];
}
