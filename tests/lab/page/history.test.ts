// What loops did is made of who ran, why it stopped, and who became ready.
import assert from "node:assert/strict";
import { test } from "node:test";
import { History, type Doing } from "../../../tools/lab-page/src/history.ts";
import { readMessage } from "../../../tools/lab-page/src/messages.ts";
import type { Frame, Hello } from "../../../tools/lab-page/src/protocol.ts";

function hello(): Hello {
  const loop = (id: number): object => ({ id, kind: "loop", core: 0, budget_ns: 40, period_ns: 100 });
  return readMessage(JSON.stringify({
    is: "hello", board: "sim", picture: "", led: 13, buses: {}, sketch: "x", cores: 1, seed: 1, pins: [], loops: [loop(1), loop(2)],
  })) as Hello;
}

function frame(now: number, what: object): Frame {
  return readMessage(JSON.stringify({ is: "frame", now, state: "running", ...what })) as Frame;
}

function states(history: History, loop: number): [number, number, Doing][] {
  const seen: [number, number, Doing][] = [];
  history.loops.get(loop)!.each(0, 1e9, history.now, (from, to, doing) => seen.push([from, to, doing]));
  return seen;
}

test("a loop that is released, preempted and done", () => {
  const history = new History(hello());
  history.take(frame(100, {
    releases: [[1, 10, 110], [2, 30, 130]],
    spans: [[0, 1, 15, 30, "preempted"], [0, 2, 30, 40, "sleep"], [0, 1, 40, 55, "sleep"]],
  }));
  assert.deepEqual(states(history, 1), [[10, 15, "ready"], [15, 30, "run"], [30, 40, "ready"], [40, 55, "run"]]);
  assert.deepEqual(states(history, 2), [[30, 40, "run"]]);
  assert.equal(history.loops.get(1)!.response, 45);
  assert.equal(history.loops.get(1)!.misses, null);
});

test("a loop without budget waits until it is released", () => {
  const history = new History(hello());
  history.take(frame(150, { releases: [[1, 0, 100]], spans: [[0, 1, 0, 40, "exhausted"]] }));
  assert.deepEqual(states(history, 1), [[0, 40, "run"], [40, 150, "exhausted"]]);
  history.take(frame(160, { releases: [[1, 155, 255]], running: [[0, 1, 157]] }));
  assert.deepEqual(states(history, 1),
    [[0, 40, "run"], [40, 155, "exhausted"], [155, 157, "ready"], [157, 160, "run"]]);
});

test("frames that cut a stretch in two do not change it", () => {
  const cut = new History(hello());
  cut.take(frame(20, { releases: [[1, 0, 100]], running: [[0, 1, 5]] }));
  assert.deepEqual(states(cut, 1), [[0, 5, "ready"], [5, 20, "run"]]);
  cut.take(frame(60, { spans: [[0, 1, 5, 50, "sleep"]] }));
  assert.deepEqual(states(cut, 1), [[0, 5, "ready"], [5, 50, "run"]]);
  assert.equal(cut.loops.get(1)!.ranUpTo(60), 45);
});

test("who has a core now is a piece up to now", () => {
  const history = new History(hello());
  history.take(frame(60, { spans: [[0, -1, 0, 10, "sleep"]], running: [[0, 2, 20]] }));
  const seen: number[][] = [];
  history.eachOn(0, 0, 100, (from, to, loop) => seen.push([from, to, loop]));
  assert.deepEqual(seen, [[0, 10, -1], [20, 60, 2]]);
});

test("the budget comes back a period behind the release that used it", () => {
  const history = new History(hello());
  history.take(frame(190, {
    releases: [[1, 10, 110], [1, 60, 160]],
    spans: [[0, 1, 10, 30, "sleep"], [0, 1, 60, 70, "sleep"]],
  }));
  const used = (at: number): number => history.used(1, at);
  assert.deepEqual([used(5), used(20), used(30), used(65), used(100)], [0, 10, 20, 25, 30]);
  assert.deepEqual([used(109), used(110), used(159), used(160)], [30, 10, 10, 0]);
});

test("at the end the report's figures stand, and odd reports change nothing", () => {
  const history = new History(hello());
  history.conclude({ loops: [{ id: 1, max_response_us: 2.64, deadline_misses: 0 }, { id: 9, deadline_misses: 1 }, {}, null] });
  assert.deepEqual([history.loops.get(1)!.response, history.loops.get(1)!.misses], [2640, 0]);
  assert.equal(history.loops.get(2)!.misses, null);
  history.conclude({ loops: 7 });
  history.conclude({});
});

test("what the kernel has counted goes before what is reckoned here", () => {
  const history = new History(hello());
  history.take(frame(50, { loops: [{ id: 1, max_response_ns: 77, deadline_misses: 3 }] }));
  history.take(frame(100, { releases: [[1, 60, 160]], spans: [[0, 1, 60, 95, "sleep"]] }));
  const loop = history.loops.get(1)!;
  assert.deepEqual([loop.response, loop.misses], [77, 3]);
});
