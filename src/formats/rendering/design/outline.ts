import type { Font } from "../text/font.js";

/** Returns an outline in whole units. Quadratic curves, which PDF lacks, become cubic curves or lines. */
export function outlineOf(commands: ReturnType<Font["outline"]>, scale: number): string {
  const operators: string[] = [];
  let [x, y] = [0, 0];
  for (const { type, values } of commands) {
    const points = values.map((value) => value * scale);
    const [endX = x, endY = y] = points.slice(-2);
    if (type === "Z") operators.push("h");
    else if (type === "M") operators.push(`${integers(points)} m`);
    else if (type === "L" || isStraight(x, y, points)) {
      if (integers([endX, endY]) !== integers([x, y])) operators.push(`${integers([endX, endY])} l`);
    } else operators.push(`${integers(type === "Q" ? cubic(x, y, points) : points)} c`);
    if (type !== "Z") [x, y] = [endX, endY];
  }
  return operators.join("\n");
}

function isStraight(x: number, y: number, points: readonly number[]): boolean {
  const [endX = x, endY = y] = points.slice(-2);
  const length = Math.hypot(endX - x, endY - y) || 1;
  for (let index = 0; index < points.length - 2; index += 2) {
    const [cx = x, cy = y] = points.slice(index);
    if (Math.abs((endX - x) * (cy - y) - (endY - y) * (cx - x)) / length > 0.8) return false;
  }
  return true;
}

function cubic(x: number, y: number, [cx = 0, cy = 0, endX = 0, endY = 0]: readonly number[]): number[] {
  const toControl = (from: number, control: number) => from + (2 / 3) * (control - from);
  return [toControl(x, cx), toControl(y, cy), toControl(endX, cx), toControl(endY, cy), endX, endY];
}

function integers(values: readonly number[]): string {
  return values.map((value) => String(Math.round(value) || 0)).join(" ");
}
