// Instants with a value each, oldest first: releases, edges of pins, touches.

const LONGEST = 200_000;

export class Marks<Value> {
  private at: number[] = [];
  private values: Value[] = [];

  get length(): number {
    return this.at.length;
  }

  add(at: number, value: Value): void {
    const last = this.at[this.at.length - 1];
    this.at.push(last !== undefined && at < last ? last : at);
    this.values.push(value);
    if (this.at.length > LONGEST) {
      this.at.splice(0, LONGEST / 4);
      this.values.splice(0, LONGEST / 4);
    }
  }

  /** The first mark at the instant or behind it. */
  firstFrom(at: number): number {
    let low = 0;
    let high = this.at.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.at[middle]! >= at) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  mark(index: number): { at: number; value: Value } | null {
    const at = this.at[index];
    return at === undefined ? null : { at, value: this.values[index]! };
  }

  last(): { at: number; value: Value } | null {
    return this.mark(this.at.length - 1);
  }

  each(from: number, to: number, see: (at: number, value: Value) => void): void {
    for (let i = this.firstFrom(from); i < this.at.length && this.at[i]! < to; i++) {
      see(this.at[i]!, this.values[i]!);
    }
  }

  /** The mark that is nearest to an instant. */
  nearest(at: number): { at: number; value: Value } | null {
    const behind = this.firstFrom(at);
    const [before, after] = [this.mark(behind - 1), this.mark(behind)];
    if (!before || !after) return before ?? after;
    return at - before.at < after.at - at ? before : after;
  }
}
