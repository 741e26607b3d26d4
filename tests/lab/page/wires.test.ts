// Ways of wires between the board and the parts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { channelOrder, route, throughGaps, type Box, type End, type Point } from "../../../tools/lab-page/src/wire_routes.ts";
import { Random } from "./random.ts";

const BOARD: Box = { left: 60, right: 340, top: 20, bottom: 120 };
const WIDTH = 400;
const BETWEEN = 10; // two parts of a row
const ROWS = 24; // between two rows

/** Rows of parts as the page lays them out: each row fills the width, and its parts have one height. */
function rows(random: Random): Box[][] {
  let top = 160;
  return Array.from({ length: 2 + random.below(4) }, () => {
    const [count, height] = [1 + random.below(3), 40 + random.below(120)];
    const each = (WIDTH - 20 - (count - 1) * BETWEEN) / count;
    const made = Array.from({ length: count }, (_, i) => {
      const left = 10 + i * (each + BETWEEN);
      return { left, right: left + each, top, bottom: top + height };
    });
    top += height + ROWS;
    return made;
  });
}

function ends(random: Random, made: Box[][]): End[] {
  return made.flatMap((row, at) => row.flatMap((part) => Array.from({ length: 1 + random.below(3) }, () => ({
    from: { x: 70 + random.below(260), y: random.below(2) ? BOARD.bottom - 8 : BOARD.top + 8 },
    to: { x: part.left + 20 + random.below(part.right - part.left - 40), y: part.top - 9 },
    upper: false, behind: at > 0,
  }))));
}

/** The corners of a path, without their roundness. */
function corners(path: string): Point[] {
  return path.split(/[MLQ]/).slice(1).map((piece) => {
    const numbers = piece.split(" ").map(Number);
    return { x: numbers.at(-2)!, y: numbers.at(-1)! };
  });
}

function crosses(path: string, part: Box): boolean {
  const points = corners(path);
  return points.slice(1).some((b, i) => {
    const a = points[i]!;
    return Math.min(a.x, b.x) < part.right && Math.max(a.x, b.x) > part.left && Math.min(a.y, b.y) < part.bottom && Math.max(a.y, b.y) > part.top;
  });
}

test("no wire goes behind a part", () => {
  const random = new Random(3);
  for (let round = 0; round < 300; round++) {
    const made = rows(random);
    const parts = made.flat();
    const all = ends(random, made);
    throughGaps(all, parts, BOARD.bottom, WIDTH);
    for (const { end, lane } of channelOrder(all, BOARD)) {
      const path = route(end, BOARD, BOARD.bottom + 6 + Math.min(lane, 6) * 4, null);
      const [first, last] = [corners(path)[0]!, corners(path).at(-1)!];
      assert.ok(Math.hypot(first.x - end.from.x, first.y - end.from.y) < 0.1);
      assert.ok(Math.hypot(last.x - end.to.x, last.y - end.to.y) < 0.1);
      assert.ok(!parts.some((part) => crosses(path, part)), `round ${round}: ${path}`);
    }
  }
});

test("wires of one gap stay apart, and in it", () => {
  const parts: Box[] = [{ left: 10, right: 195, top: 160, bottom: 260 }, { left: 205, right: 390, top: 160, bottom: 260 }];
  const all = Array.from({ length: 4 }, (_, i): End =>
    ({ from: { x: 100 + 10 * i, y: 112 }, to: { x: 190, y: 275 + 60 * i }, upper: false, behind: true }));
  throughGaps(all, parts, BOARD.bottom, WIDTH);
  const places = all.map((end) => end.down!.x).sort((a, b) => a - b);
  assert.ok(places[0]! > 195 && places.at(-1)! < 205);
  places.slice(1).forEach((x, i) => assert.ok(x - places[i]! >= 1.9));
});

test("without a gap a wire goes behind the parts", () => {
  const wall: Box = { left: 0, right: WIDTH, top: 160, bottom: 260 };
  const end: End = { from: { x: 100, y: 112 }, to: { x: 190, y: 275 }, upper: false, behind: true };
  throughGaps([end], [wall], BOARD.bottom, WIDTH);
  assert.equal(end.down, undefined);
  assert.ok(crosses(route(end, BOARD, 130, null), wall));
});
