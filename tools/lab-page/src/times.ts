// Times of the board as people read them. All are whole nanoseconds.

export const US = 1_000;
export const MS = 1_000_000;
export const S = 1_000_000_000;

/** Exact, in the unit that fits, without trailing zeros: `30.014 ms`, `5.2 us`, `20 ns`. */
export function duration(ns: number): string {
  const size = Math.abs(ns);
  const [unit, name] = size >= S ? [S, "s"] : size >= MS ? [MS, "ms"] : size >= US ? [US, "us"] : [1, "ns"];
  return `${decimal(ns, unit)} ${name}`;
}

/** As duration(), with few digits, for places without room. */
export function roughly(ns: number): string {
  const size = Math.abs(ns);
  const [unit, name] = size >= S ? [S, "s"] : size >= MS ? [MS, "ms"] : size >= US ? [US, "us"] : [1, "ns"];
  return `${Number((ns / unit).toPrecision(4))} ${name}`;
}

/** An instant with all its digits, grouped: `1.007 925 000 s`. */
export function instant(ns: number): string {
  const [before, after] = digits(ns);
  return `${before}.${after.slice(0, 3)} ${after.slice(3, 6)} ${after.slice(6)} s`;
}

/** The clock of the page: seconds with milliseconds. */
export function clock(ns: number): string {
  const [before, after] = digits(ns);
  return `${before}.${after.slice(0, 3)}`;
}

function digits(ns: number): [string, string] {
  const size = Math.abs(Math.round(ns));
  const sign = ns < 0 ? "-" : "";
  return [`${sign}${Math.floor(size / S)}`, String(size % S).padStart(9, "0")];
}

function decimal(ns: number, unit: number): string {
  const size = Math.abs(Math.round(ns));
  const whole = Math.floor(size / unit);
  const rest = String(size % unit).padStart(String(unit).length - 1, "0").replace(/0+$/, "");
  return `${ns < 0 ? "-" : ""}${whole}${unit > 1 && rest !== "" ? `.${rest}` : ""}`;
}

/** What somebody types as an instant: `1.5 s`, `1500ms`, `20 us`; without a unit seconds. Null: not understood. */
export function parseTime(typed: string): number | null {
  const found = /^\s*(?=[.,]?\d)(\d*)(?:[.,](\d*))?\s*(ns|us|µs|ms|s|min)?\s*$/.exec(typed);
  if (!found) return null;
  const units: Record<string, number> = { ns: 1, us: US, "µs": US, ms: MS, s: S, min: 60 * S };
  const unit = units[found[3] ?? "s"]!;
  const ns = Number(found[1]) * unit + Math.round(Number(`0.${found[2] ?? ""}0`) * unit);
  return Number.isSafeInteger(ns) ? ns : null;
}
