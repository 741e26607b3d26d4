// Which stretch of time is shown.
import assert from "node:assert/strict";
import { test } from "node:test";
import { step, tick, View } from "../../../tools/lab-page/src/timeline/view.ts";
import { numbers } from "./random.ts";

function view(): View {
  const made = new View();
  made.width = 1000;
  made.span = 1_000_000_000;
  return made;
}

test("what is under the pointer stays there while zooming", () => {
  for (const x of [0, 250, 1000]) {
    const made = view();
    made.from = 5_000_000_000;
    const held = made.at(x);
    made.zoom(0.25, x);
    assert.ok(Math.abs(made.at(x) - held) < 1);
    assert.equal(made.span, 250_000_000);
  }
});

test("it follows until it is dragged, and again when told", () => {
  const made = view();
  made.follow(10_000_000_000);
  assert.equal(Math.round(made.x(10_000_000_000)), 970);
  made.pan(-100);
  const { from } = made;
  made.follow(20_000_000_000);
  assert.equal(made.from, from);
  made.live = true;
  made.follow(20_000_000_000);
  assert.ok(made.from > from);
});

test("there is nothing before the beginning", () => {
  const made = view();
  made.pan(-1e9);
  assert.equal(made.from, 0);
});

test("marks of the scale have room, and are not too few", () => {
  for (const span of numbers(300, 600e9).map((n) => n + 200)) {
    const size = step(span, 800);
    const apart = (size / span) * 800;
    assert.ok(apart >= 110 - 1e-6 || size === 1, `${span}: ${apart}`);
    assert.ok(apart < 110 * 2.6 || size === 1, `${span}: ${apart}`);
  }
});

test("labels of neighbouring marks differ", () => {
  for (const span of [300, 4_000, 60_000, 2e6, 3e7, 1e9, 5e10]) {
    const size = step(span, 800);
    assert.notEqual(tick(7 * size, size), tick(8 * size, size));
  }
  assert.equal(tick(1_400_000_000, 200_000_000), "1.4 s");
  assert.equal(tick(1_400_000, 200_000), "1.4 ms");
});
