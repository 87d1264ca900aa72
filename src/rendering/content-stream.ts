import type { Rgb } from "./color.js";

// Control points that make a cubic curve a quarter of a circle, and of a sine wave.
const circle = 0.5523;
const sine = [0.3262, 0.5123, 0.6381, 1] as const;

/** Writes the drawing operators of PDF (ISO 32000, Annex A). Each method returns the stream. */
export class ContentStream {
  readonly #operators: string[] = [];

  fillColor(color: Rgb): this {
    return this.#write(color, "rg");
  }

  strokeColor(color: Rgb): this {
    return this.#write(color, "RG");
  }

  lineWidth(width: number): this {
    return this.#write([width], "w");
  }

  save(): this {
    return this.#write([], "q");
  }

  restore(): this {
    return this.#write([], "Q");
  }

  translate(x: number, y: number): this {
    return this.#write([1, 0, 0, 1, x, y], "cm");
  }

  scale(x: number, y: number): this {
    return this.#write([x, 0, 0, y, 0, 0], "cm");
  }

  rotate(angle: number): this {
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    return this.#write([cos, sin, -sin, cos, 0, 0], "cm");
  }

  rect(x: number, y: number, width: number, height: number): this {
    return this.#write([x, y, width, height], "re");
  }

  /** An ellipse about the origin. */
  ellipse(a: number, b: number): this {
    return this.#write([a, 0], "m")
      .#write([a, b * circle, a * circle, b, 0, b], "c")
      .#write([-a * circle, b, -a, b * circle, -a, 0], "c")
      .#write([-a, -b * circle, -a * circle, -b, 0, -b], "c")
      .#write([a * circle, -b, a, -b * circle, a, 0], "c")
      .#write([], "h");
  }

  /** A star about the origin, its points at `outer` and its hollows at `inner`. */
  star(points: number, outer: number, inner: number): this {
    for (let corner = 0; corner < 2 * points; corner++) {
      const radius = corner % 2 === 0 ? outer : inner;
      const angle = (corner * Math.PI) / points;
      this.#write([radius * Math.sin(angle), -radius * Math.cos(angle)], corner === 0 ? "m" : "l");
    }
    return this.#write([], "h");
  }

  /** One period of a sine wave along the x axis, starting at `x`. */
  wave(x: number, period: number, amplitude: number): this {
    const quarter = period / 4;
    const [x1, y1, x2, y2] = sine;
    this.#write([x, 0], "m");
    for (const [start, sign] of [
      [x, 1],
      [x + 2 * quarter, -1],
    ] as const) {
      const height = sign * amplitude;
      const top = start + quarter;
      this.#write([start + x1 * quarter, y1 * height, start + x2 * quarter, y2 * height, top, height], "c");
      this.#write(
        [top + (1 - x2) * quarter, y2 * height, top + (1 - x1) * quarter, y1 * height, top + quarter, 0],
        "c",
      );
    }
    return this;
  }

  stroke(): this {
    return this.#write([], "S");
  }

  fill(): this {
    return this.#write([], "f");
  }

  fillAndStroke(): this {
    return this.#write([], "B");
  }

  /** Clips to the current path. */
  clip(): this {
    return this.#write([], "W n");
  }

  toString(): string {
    return this.#operators.join("\n");
  }

  #write(operands: readonly number[], operator: string): this {
    const numbers = operands.map((operand) => String(Math.round(operand * 10_000) / 10_000));
    this.#operators.push([...numbers, operator].join(" "));
    return this;
  }
}
