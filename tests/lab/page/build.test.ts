// Building: the ways of wires, the lanes that fill the timeline, the messages about a scenario.
import assert from "node:assert/strict";
import { test } from "node:test";
import { History } from "../../../tools/lab-page/src/history.ts";
import { busPins } from "../../../tools/lab-page/src/parts/buses.ts";
import { readMessage } from "../../../tools/lab-page/src/messages.ts";
import type { Hello } from "../../../tools/lab-page/src/protocol.ts";
import { MessageError } from "../../../tools/lab-page/src/reading.ts";
import { bottom, lanes } from "../../../tools/lab-page/src/timeline/lanes.ts";
import { channelOrder, rounded, route, type Box, type End } from "../../../tools/lab-page/src/wire_routes.ts";
import { Random } from "./random.ts";

const BOARD: Box = { left: 20, right: 420, top: 40, bottom: 200 };

function end(from: number, to: number, upper = false): End {
  return { from: { x: from, y: upper ? 48 : 192 }, to: { x: to, y: 260 }, upper, behind: false };
}

/** Where two paths of right angles cross. */
function crossings(one: string, other: string): number {
  const corners = (path: string): [number, number][] =>
    [...path.replace(/Q(\S+ \S+) \S+ \S+/g, "L$1").matchAll(/[ML](\S+?) ([\d.-]+)/g)].map((at) => [Number(at[1]), Number(at[2])]);
  const lines = (path: string): [number, number, number, number][] => {
    const at = corners(path);
    return at.slice(1).map(([x, y], i) => [at[i]![0], at[i]![1], x, y]);
  };
  let found = 0;
  for (const [a, b, c, d] of lines(one)) {
    for (const [e, f, g, h] of lines(other)) {
      const [level, upright] = b === d && e === g ? [[a, b, c], [e, f, h]] : a === c && f === h ? [[e, f, g], [a, b, d]] : [null, null];
      if (!level || !upright) continue;
      const within = (x: number, p: number, q: number): boolean => x > Math.min(p, q) && x < Math.max(p, q);
      if (within(upright[0]!, level[0]!, level[2]!) && within(level[1]!, upright[1]!, upright[2]!)) found++;
    }
  }
  return found;
}

function paths(ends: End[]): string[] {
  return channelOrder(ends, BOARD).map(({ end: of, lane, over }) => route(of, BOARD, 206 + lane * 4, over === null ? null : 34 - over * 4));
}

test("wires to parts in the order of their pins do not cross", () => {
  const random = new Random(32);
  for (let round = 0; round < 200; round++) {
    const [pins, parts] = [0, 1].map(() => Array.from({ length: 6 }, () => 21 + random.below(398)).sort((a, b) => a - b));
    const apart = pins!.every((x, i) => !i || x - pins![i - 1]! > 8) && parts!.every((x, i) => !i || x - parts![i - 1]! > 8);
    if (!apart) continue;
    const drawn = paths(pins!.map((from, i) => end(from, parts![i]!)));
    for (const [i, one] of drawn.entries()) for (const other of drawn.slice(i + 1)) assert.equal(crossings(one, other), 0, `${one} ${other}`);
  }
});

test("a wire from the upper edge goes around the board", () => {
  const [path] = paths([end(390, 100, true)]);
  const xs = [...path!.matchAll(/([\d.-]+) [\d.-]+/g)].map((at) => Number(at[1]));
  assert.ok(Math.max(...xs) > BOARD.right);
  assert.equal(rounded([{ x: 0, y: 0 }, { x: 10, y: 0 }]), "M0 0L10 0");
  assert.equal(rounded([]), "");
});

test("lanes fill the height that there is, as far as that helps", () => {
  const hello: Hello = {
    is: "hello", board: "sim", picture: "", led: 13, buses: {}, sketch: "a", cores: 2, seed: 1, policy: "", trouble: "", pins: [], parts: [],
    loops: [1, 2].map((id) => ({ id, kind: "loop", core: 0, budget: 1, period: 10, deadline: 10, bound: null })),
  };
  const history = new History(hello);
  const least = bottom(lanes(hello, history));
  assert.equal(bottom(lanes(hello, history, least - 50)), least);
  for (let height = least; height < least + 80; height += 7) {
    const found = bottom(lanes(hello, history, height));
    assert.ok(found <= height && found > height - 6, `${found} of ${height}`);
  }
  assert.ok(bottom(lanes(hello, history, 5000)) < 400);
});

test("messages about a scenario are read whole or not at all", () => {
  const scenario = {
    is: "scenario", text: "parts: {}\n", file: "scenario.yaml", changed: true, undo: true, redo: false, problems: ["line 3: …"],
    parts: [{ name: "lamp", type: "led", values: { pin: "13", long: null }, pins: { pin: 13 }, problems: [{ key: "pin", text: "no" }] }],
  };
  assert.deepEqual(readMessage(JSON.stringify(scenario)), scenario);
  assert.deepEqual(readMessage('{"is": "refused", "text": "no", "part": null, "key": 3}'), { is: "refused", text: "no", part: null, key: null });
  assert.deepEqual(readMessage('{"is": "built", "part": "lamp"}'), { is: "built", part: "lamp" });
  const key = { name: "pin", kind: "pin", about: "", required: true, default: "", choices: [], use: "digital", example: "" };
  const catalogue = { is: "catalogue", types: [{ name: "led", group: "Lights", about: "a light", keys: [key] }] };
  assert.deepEqual(readMessage(JSON.stringify(catalogue)), catalogue);
  for (const wrong of [{ parts: [7] }, { parts: [{ ...scenario.parts[0], pins: { pin: "13" } }] }, { file: 3 }, { parts: [{ ...scenario.parts[0], values: { pin: 13 } }] }]) {
    assert.throws(() => readMessage(JSON.stringify({ ...scenario, ...wrong })), MessageError);
  }
});

const MEGA = {
  SDA: 20, SCL: 21, MISO: 50, MOSI: 51, SCK: 52,
  RX: 0, TX: 1, RX1: 19, TX1: 18, RX2: 17, TX2: 16, RX3: 15, TX3: 14,
};
const UNO = { SDA: 58, SCL: 59, MISO: 12, MOSI: 11, SCK: 13, RX: 0, TX: 1 };

test("a part on a serial port is wired to the port's pins", () => {
  assert.deepEqual(busPins("serial", {}, MEGA, 1), [["RX1", 19], ["TX1", 18]]);
  assert.deepEqual(busPins("gps", {}, MEGA, 2), [["RX2", 17]]);
  assert.deepEqual(busPins("serial", {}, UNO, 0), [["RX", 0], ["TX", 1]]);
  assert.deepEqual(busPins("serial", {}, UNO, 3), []); // an Uno has one port
  assert.deepEqual(busPins("led", { pin: 3 }, MEGA), []);
});
