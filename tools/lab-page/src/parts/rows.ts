// The picture of a display as its facts tell it: hexadecimal digits for each row of points, the leftmost in the highest bit.

export interface Points {
  width: number;
  height: number;
  lit: boolean[]; // row by row, from the top
}

/** Nothing where a row has another length or another character. */
export function points(rows: unknown): Points | null {
  if (!Array.isArray(rows) || rows.length === 0) return null;
  const first: unknown = rows[0];
  if (typeof first !== "string" || first.length === 0) return null;
  const lit: boolean[] = [];
  for (const row of rows as unknown[]) {
    if (typeof row !== "string" || row.length !== first.length || !/^[0-9a-fA-F]+$/.test(row)) return null;
    for (const digit of row) {
      const four = parseInt(digit, 16);
      for (const bit of [8, 4, 2, 1]) lit.push((four & bit) !== 0);
    }
  }
  return { width: first.length * 4, height: rows.length, lit };
}
