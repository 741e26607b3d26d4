// Spans and marks of the timeline against the plainest way to have them: a list that is searched from its beginning.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Marks } from "../../../tools/lab-page/src/timeline/marks.ts";
import { Track } from "../../../tools/lab-page/src/timeline/track.ts";
import { Random } from "./random.ts";

interface Piece {
  from: number;
  to: number;
  value: number;
}

function random(seed: number): [Track<number>, Piece[]] {
  const [track, plain, dice] = [new Track<number>(), [] as Piece[], new Random(seed)];
  let at = 0;
  for (let i = 0; i < 60; i++) {
    const from = at + dice.below(3) * dice.below(20);
    const to = from + 1 + dice.below(20);
    const value = dice.below(3);
    track.add(from, to, value);
    const last = plain[plain.length - 1];
    if (last && last.to === from && last.value === value) last.to = to;
    else plain.push({ from, to, value });
    at = to;
  }
  return [track, plain];
}

test("a track gives what a plain list gives", () => {
  for (let seed = 1; seed <= 40; seed++) {
    const [track, plain] = random(seed);
    const end = plain[plain.length - 1]!.to;
    const dice = new Random(seed + 1000);
    for (let i = 0; i < 50; i++) {
      const at = dice.below(end + 10);
      assert.deepEqual(track.at(at), plain.find((one) => one.from <= at && at < one.to) ?? null);
      const length = plain.reduce((sum, one) => sum + Math.max(0, Math.min(at, one.to) - one.from), 0);
      assert.equal(track.lengthUpTo(at), length);
      const to = at + dice.below(100);
      const seen: Piece[] = [];
      track.each(at, to, (from, to, value) => seen.push({ from, to, value }));
      assert.deepEqual(seen, plain.filter((one) => one.to > at && one.from < to));
    }
  }
});

test("a piece that goes on is one piece", () => {
  const track = new Track<string>();
  track.add(0, 10, "run");
  track.add(10, 20, "run");
  track.add(20, 30, "ready");
  assert.equal(track.length, 2);
  assert.deepEqual(track.piece(0), { from: 0, to: 20, value: "run" });
});

test("the oldest are forgotten, and lengths stay right", () => {
  const track = new Track<number>();
  const count = 250_000;
  for (let i = 0; i < count; i++) track.add(i * 10, i * 10 + 4, 0);
  assert.ok(track.length <= 200_000);
  assert.equal(track.lengthUpTo(count * 10), count * 4);
  assert.equal(track.lengthUpTo(count * 10 - 10) - track.lengthUpTo(count * 10 - 1010), 400);
});

test("marks are found", () => {
  const marks = new Marks<number>();
  for (const at of [10, 20, 20, 35]) marks.add(at, at * 2);
  const seen: number[] = [];
  marks.each(20, 35, (at) => seen.push(at));
  assert.deepEqual(seen, [20, 20]);
  assert.equal(marks.nearest(27)?.at, 20);
  assert.equal(marks.nearest(28)?.at, 35);
  assert.equal(marks.nearest(1000)?.at, 35);
  assert.equal(new Marks<number>().nearest(5), null);
});
