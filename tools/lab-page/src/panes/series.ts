// What the plotter has: instants across, a column for each name, with gaps where a line did not tell it.
import type { Value } from "./values.ts";

const LONGEST = 4000; // lines
const MOST = 8; // names: more would not be told apart

export class Series {
  readonly names: string[] = [];
  private at: number[] = []; // seconds
  private columns: (number | null)[][] = [];

  /** True when there is a new name, so that the drawing must be made anew. */
  add(at: number, values: Value[]): boolean {
    if (values.length === 0) return false;
    const before = this.names.length;
    for (const { name } of values) {
      if (!this.names.includes(name) && this.names.length < MOST) {
        this.names.push(name);
        this.columns.push(this.at.map(() => null));
      }
    }
    this.at.push(at / 1e9);
    this.names.forEach((name, i) => {
      this.columns[i]!.push(values.find((one) => one.name === name)?.value ?? null);
    });
    if (this.at.length > LONGEST) {
      for (const column of [this.at, ...this.columns]) column.splice(0, LONGEST / 4);
    }
    return this.names.length > before;
  }

  clear(): void {
    this.names.length = 0;
    this.at = [];
    this.columns = [];
  }

  data(): [number[], ...(number | null)[][]] {
    return [this.at, ...this.columns];
  }
}
