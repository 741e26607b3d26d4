// Numbers that look random and are the same in every run (a multiplicative generator of Lehmer's kind).

export class Random {
  private state: number;

  constructor(seed = 1) {
    this.state = seed;
  }

  /** 0 … below. */
  below(below: number): number {
    this.state = (this.state * 48_271) % 2_147_483_647;
    return Math.floor((this.state / 2_147_483_647) * below);
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }
}

/** Whole numbers of all sizes below a limit. */
export function numbers(count: number, below: number): number[] {
  const random = new Random(7);
  return Array.from({ length: count }, () => random.below(Math.min(below, 10 ** (1 + random.below(16)))));
}
