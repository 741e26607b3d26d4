// From a place around a knob's middle to its position: 270 degrees from the lower left over the top to the lower right.

const TRAVEL = 270;

/** 0 … 100, for a place right of the middle and below it. At the gap below it stays at the end where it is. */
export function turned(right: number, below: number, before: number): number {
  const fromTop = (Math.atan2(right, -below) * 180) / Math.PI; // clockwise, -180 … 180
  if (Math.abs(fromTop) > TRAVEL / 2) return before < 50 ? 0 : 100;
  return ((fromTop + TRAVEL / 2) / TRAVEL) * 100;
}
