// Lines of Serial, the numbers in them, and the loops.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Lines } from "../../../tools/lab-page/src/panes/lines.ts";
import { share } from "../../../tools/lab-page/src/panes/loops.ts";
import { Series } from "../../../tools/lab-page/src/panes/series.ts";
import { values } from "../../../tools/lab-page/src/panes/values.ts";
import { Random } from "./random.ts";

test("pieces become lines, each with the instant of its first piece", () => {
  const lines = new Lines();
  assert.deepEqual(lines.take("hel", 5), [{ id: 0, text: "hel", at: 5, whole: false }]);
  assert.deepEqual(lines.take("lo\r\nyou", 9), [
    { id: 0, text: "hello", at: 5, whole: true },
    { id: 1, text: "you", at: 9, whole: false },
  ]);
  assert.deepEqual(lines.take("\n\n", 12).map((line) => line.text), ["you", ""]);
});

test("however text is cut, it gives the same lines", () => {
  const text = "one\r\ntwo\n\nthree\rfour\r\n\r\nlast";
  const whole = (pieces: string[]): string[] => {
    const [lines, seen] = [new Lines(), new Map<number, string>()];
    for (const piece of pieces) for (const line of lines.take(piece, 0)) seen.set(line.id, line.text);
    return [...seen.values()];
  };
  const expected = whole([text]);
  assert.deepEqual(expected, ["one", "two", "", "three", "four", "", "last"]);
  const dice = new Random(5);
  for (let round = 0; round < 200; round++) {
    const pieces: string[] = [];
    for (let at = 0; at < text.length; ) {
      const length = 1 + dice.below(5);
      pieces.push(text.slice(at, at + length));
      at += length;
    }
    assert.deepEqual(whole(pieces), expected);
  }
});

test("a line without an end is broken", () => {
  const found = new Lines().take("x".repeat(5000), 0);
  assert.deepEqual(found.map((line) => line.text.length), [2000, 2000, 1000]);
});

test("values as the Arduino IDE's plotter takes them", () => {
  assert.deepEqual(values("12"), [{ name: "value 1", value: 12 }]);
  assert.deepEqual(values("1,2.5\t-3e2"), [
    { name: "value 1", value: 1 }, { name: "value 2", value: 2.5 }, { name: "value 3", value: -300 },
  ]);
  assert.deepEqual(values("left:12, right: 7.5"), [{ name: "left", value: 12 }, { name: "right", value: 7.5 }]);
  assert.deepEqual(values("wall: back and turn right"), []);
  assert.deepEqual(values("loop 2: round 1"), []);
  assert.deepEqual(values(""), []);
  assert.deepEqual(values("nan inf 0x10"), []);
});

test("series keep a column for each name, with gaps", () => {
  const series = new Series();
  assert.equal(series.add(1e9, values("a:1")), true);
  assert.equal(series.add(2e9, values("b:2")), true);
  assert.equal(series.add(3e9, values("a:3 b:4")), false);
  assert.equal(series.add(4e9, []), false);
  assert.deepEqual(series.data(), [[1, 2, 3], [1, null, 3], [null, 2, 4]]);
});

test("series stay short", () => {
  const series = new Series();
  for (let i = 0; i < 10_000; i++) series.add(i, [{ name: "a", value: i }]);
  const [at, column] = series.data();
  assert.ok(at.length <= 4000);
  assert.equal(column!.length, at.length);
  assert.equal(column![column!.length - 1], 9999);
});

test("a deadline is shown where it is shorter than the period", () => {
  const ms = 1_000_000;
  assert.equal(share(70 * ms, 100 * ms, 100 * ms), "70/100 ms");
  assert.equal(share(0.3 * ms, 1000 * ms, 1000 * ms), "300 us/1 s");
  assert.equal(share(1 * ms, 20 * ms, 5 * ms), "1/20 ms, D 5 ms");
});
