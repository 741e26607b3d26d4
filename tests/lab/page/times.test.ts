// Times of the board in words.
import assert from "node:assert/strict";
import { test } from "node:test";
import { clock, duration, instant, parseTime, roughly } from "../../../tools/lab-page/src/times.ts";
import { numbers } from "./random.ts";

test("a duration is exact and has the unit that fits", () => {
  assert.equal(duration(0), "0 ns");
  assert.equal(duration(20), "20 ns");
  assert.equal(duration(5_200), "5.2 us");
  assert.equal(duration(30_014_000), "30.014 ms");
  assert.equal(duration(70_000_000), "70 ms");
  assert.equal(duration(1_500_000_001), "1.500000001 s");
  assert.equal(duration(-1_500), "-1.5 us");
});

test("every duration reads back as it was", () => {
  for (const ns of numbers(500, 2 ** 52)) assert.equal(parseTime(duration(ns)), ns);
});

test("an instant has all its digits", () => {
  assert.equal(instant(1_007_925_000), "1.007 925 000 s");
  assert.equal(clock(1_007_925_000), "1.007");
  assert.equal(clock(999_999_999), "0.999");
});

test("a rough duration has few digits", () => {
  assert.equal(roughly(90_071_234), "90.07 ms");
  assert.equal(roughly(1_234_567_890), "1.235 s");
});

test("what is typed is understood with and without a unit, or not at all", () => {
  assert.equal(parseTime("1.5"), 1_500_000_000);
  assert.equal(parseTime(" 20 ms "), 20_000_000);
  assert.equal(parseTime("20ms"), 20_000_000);
  assert.equal(parseTime("1,5 s"), 1_500_000_000);
  assert.equal(parseTime("3 µs"), 3_000);
  for (const wrong of ["", "s", "-1", "1e3", "1.5.2", "20 lightyears", "99999999999 s"]) {
    assert.equal(parseTime(wrong), null, wrong);
  }
});
