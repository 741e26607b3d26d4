// The characters of a display as its drawing wants them: one byte each, in the font A00.

// Where the font differs from ASCII, as far as the facts tell such characters by their Unicode names.
const BYTES: Record<string, number> = {
  "→": 0x7e, "←": 0x7f, "°": 0xdf, "¥": 0x5c, "α": 0xe0, "ä": 0xe1, "β": 0xe2, "ε": 0xe3, "μ": 0xe4, "µ": 0xe4,
  "σ": 0xe5, "ρ": 0xe6, "√": 0xe8, "ñ": 0xee, "ö": 0xef, "θ": 0xf2, "∞": 0xf3, "Ω": 0xf4, "ü": 0xf5, "Σ": 0xf6,
  "π": 0xf7, "÷": 0xfd, "█": 0xff,
};
const OWN = "⓪①②③④⑤⑥⑦"; // characters that the sketch made

export function lcdBytes(rows: string[], columns: number): Uint8Array {
  const bytes = new Uint8Array(columns * rows.length).fill(0x20);
  rows.forEach((line, row) => {
    [...line].slice(0, columns).forEach((character, column) => {
      bytes[row * columns + column] = byte(character);
    });
  });
  return bytes;
}

function byte(character: string): number {
  const special = BYTES[character];
  if (special !== undefined) return special;
  const own = OWN.indexOf(character);
  if (own >= 0) return own;
  const code = character.codePointAt(0) ?? 0x20;
  return code >= 0x20 && code < 0x7e ? code : 0x3f;
}

const ROWS = 8;
const COLUMNS = 5;

/** The font with the sketch's own characters (`1:040e1f0404040400`) in their places; bit 0 is the leftmost point. */
export function ownFont(font: Uint8Array, defined: unknown): Uint8Array {
  const words = typeof defined === "string" ? defined.split(/\s+/) : Array.isArray(defined) ? defined.map(String) : [];
  const made = new Uint8Array(font);
  for (const word of words) {
    const found = /^([0-7]):([0-9a-fA-F]{16})$/.exec(word);
    if (!found) continue;
    for (let row = 0; row < ROWS; row++) {
      const bits = parseInt(found[2]!.slice(row * 2, row * 2 + 2), 16);
      let turned = 0;
      for (let x = 0; x < COLUMNS; x++) if (bits & (1 << (COLUMNS - 1 - x))) turned |= 1 << x;
      made[Number(found[1]) * ROWS + row] = turned;
    }
  }
  return made;
}
