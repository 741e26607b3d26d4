// What parts show, as far as it is reckoned and not drawn.
import assert from "node:assert/strict";
import { test } from "node:test";
import { attributes, rewritten } from "../../../tools/lab-page/inline_styles.mjs";
import { lcdBytes, ownFont } from "../../../tools/lab-page/src/parts/lcd_bytes.ts";
import { turned } from "../../../tools/lab-page/src/parts/turning.ts";
import { factLines } from "../../../tools/lab-page/src/parts/facts.ts";
import { channels, segmentValues } from "../../../tools/lab-page/src/parts/segments.ts";
import { points } from "../../../tools/lab-page/src/parts/rows.ts";
import { floor, fromScreen, gridStep, onScreen, type Floor } from "../../../tools/lab-page/src/parts/stage_geometry.ts";

test("rows of digits are points, the leftmost in the highest bit", () => {
  assert.deepEqual(points(["81", "00"]), {
    width: 8, height: 2,
    lit: [true, false, false, false, false, false, false, true, ...Array<boolean>(8).fill(false)],
  });
  for (const wrong of [null, [], [""], ["80", "8"], ["8x"], [8]]) assert.equal(points(wrong), null);
});

test("segments are values from a on, the point last; what is none is not drawn", () => {
  assert.deepEqual(segmentValues("06 80"), [0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
  for (const wrong of [null, "", "6", "06  80", "0g", 6]) assert.equal(segmentValues(wrong), null);
});

test("a colour is three numbers, and dark when it is none", () => {
  assert.deepEqual(channels("ff8001"), [255, 128, 1]);
  for (const wrong of [undefined, "ff80", "red", "ff80000"]) assert.deepEqual(channels(wrong), [0, 0, 0]);
});

test("characters of a display are its font's", () => {
  assert.deepEqual([...lcdBytes(["A°", "⓪→x"], 4)], [0x41, 0xdf, 0x20, 0x20, 0, 0x7e, 0x78, 0x20]);
});

test("characters of the sketch's own are turned into the drawing's font", () => {
  const font = ownFont(new Uint8Array(2048), "1:110e000000000000");
  assert.deepEqual([...font.slice(8, 11)], [0b10001, 0b01110, 0]);
  assert.deepEqual(ownFont(new Uint8Array(4).fill(7), "9:zz nonsense"), new Uint8Array(4).fill(7));
});

test("the floor holds the vehicle and the wall, and stands still while it does", () => {
  let window: Floor | null = null;
  let changes = 0;
  for (let x = 0; x < 900; x += 2) {
    const place = { x, y: 40 * Math.sin(x / 50), heading: 0 };
    const next = floor(place, 300, 400, 132, window);
    changes += next === window ? 0 : 1;
    window = next;
    const [at, down] = onScreen(window, 132, place.x, place.y);
    assert.ok(at >= 0 && at <= 400 && down >= 0 && down <= 132, `${x}: ${at} ${down}`);
    assert.ok(Math.abs(fromScreen(window, at) - x) < 1e-6);
  }
  assert.ok(changes < 30, String(changes));
  assert.ok(gridStep(window!) * window!.scale >= 56);
});

test("style attributes become attributes of SVG", () => {
  assert.equal(attributes("fill:none;stroke:#fff;line-height:1.25"), 'fill="none" stroke="#fff"');
  assert.equal(attributes("display: ${lightOn ? '' : 'none'}"), "display=\"${lightOn ? '' : 'none'}\"");
  assert.equal(rewritten('<g style="opacity: ${a}" id="x">'), '<g opacity="${a}" id="x">');
  assert.equal(rewritten('style="${whole}"'), 'style="${whole}"');
});

test("a knob is turned from the lower left over the top to the lower right", () => {
  const at = (right: number, below: number, before = 50): number => Math.round(turned(right, below, before));
  assert.deepEqual([at(-10, 0), at(0, -10), at(10, 0)], [17, 50, 83]);
  assert.deepEqual([at(-10, 10.1, 3), at(10, 10.1, 97)], [0, 100]);
  assert.deepEqual([at(0, 10, 20), at(0, 10, 80)], [0, 100]);
});

test("a part without a drawing tells its facts, those of a group one by one", () => {
  assert.deepEqual(
    factLines({ address: 72, bytes_read: 3, registers: { 2: 17, 5: 0.12345 }, first_us: null, list: [1] }),
    [["address", "72"], ["bytes read", "3"], ["register 2", "17"], ["register 5", "0.123"]]);
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`fact_${i}`, i]));
  assert.equal(factLines(many).length, 12);
  assert.deepEqual(factLines({}), []);
});
