// Numbers in lines of Serial, for the plotter, as the Arduino IDE's takes them: `12`, `1,2,3`, `left:12 right:7.5`.

export interface Value {
  name: string;
  value: number;
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The values of a line; nothing where a word is no value: the line is then prose. */
export function values(line: string): Value[] {
  const found: Value[] = [];
  const words = line.trim().replace(/:\s+/g, ":").split(/[\s,;]+/).filter((word) => word !== "");
  for (const [index, word] of words.entries()) {
    const colon = word.lastIndexOf(":");
    const name = colon > 0 ? word.slice(0, colon) : `value ${index + 1}`;
    const digits = colon >= 0 ? word.slice(colon + 1) : word;
    if (digits === "") continue; // a name alone: `limits:`
    if (!NUMBER.test(digits)) return [];
    found.push({ name, value: Number(digits) });
  }
  return found;
}
