// What one lane of the timeline shows: spans of time that follow each other, each with a value.
//
// Kept as columns, oldest first; a binary search finds what is in view. The oldest are dropped when there are
// too many.

export interface Piece<Value> {
  from: number;
  to: number;
  value: Value;
}

const LONGEST = 200_000; // pieces

export class Track<Value> {
  private from: number[] = [];
  private to: number[] = [];
  private values: Value[] = [];
  private before: number[] = []; // the length of all pieces before this one
  private dropped = 0; // the length of all that was dropped

  get length(): number {
    return this.from.length;
  }

  /** Pieces come in order; one that goes on where the last ended becomes a part of it. */
  add(from: number, to: number, value: Value): void {
    const last = this.from.length - 1;
    const lastTo = this.to[last];
    if (lastTo !== undefined) {
      if (from < lastTo) from = lastTo;
      if (from === lastTo && this.values[last] === value) {
        this.to[last] = Math.max(lastTo, to);
        return;
      }
    }
    if (to < from) return;
    this.before.push(last < 0 ? this.dropped : this.before[last]! + this.to[last]! - this.from[last]!);
    this.from.push(from);
    this.to.push(to);
    this.values.push(value);
    if (this.from.length > LONGEST) this.drop(LONGEST / 4);
  }

  private drop(count: number): void {
    for (const column of [this.from, this.to, this.values, this.before]) column.splice(0, count);
    this.dropped = this.before[0] ?? this.dropped;
  }

  piece(index: number): Piece<Value> | null {
    if (index < 0 || index >= this.from.length) return null;
    return { from: this.from[index]!, to: this.to[index]!, value: this.values[index]! };
  }

  last(): Piece<Value> | null {
    return this.piece(this.from.length - 1);
  }

  /** The first piece that ends behind the instant. */
  firstEndingAfter(at: number): number {
    let low = 0;
    let high = this.to.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.to[middle]! > at) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Calls back for each piece that is in view, at least in part. */
  each(from: number, to: number, see: (from: number, to: number, value: Value) => void): void {
    for (let i = this.firstEndingAfter(from); i < this.from.length && this.from[i]! < to; i++) {
      see(this.from[i]!, this.to[i]!, this.values[i]!);
    }
  }

  /** The piece at the instant. */
  at(instant: number): Piece<Value> | null {
    const found = this.piece(this.firstEndingAfter(instant));
    return found && found.from <= instant ? found : null;
  }

  /** How long the pieces up to an instant are together. */
  lengthUpTo(instant: number): number {
    const index = this.firstEndingAfter(instant);
    if (index >= this.from.length) {
      const last = this.from.length - 1;
      return last < 0 ? this.dropped : this.before[last]! + this.to[last]! - this.from[last]!;
    }
    return this.before[index]! + Math.max(0, instant - this.from[index]!);
  }
}
