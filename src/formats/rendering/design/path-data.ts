interface PathPart {
  readonly operator: "m" | "l" | "c" | "h";
  readonly numbers: readonly number[];
}

const commands = { M: ["m", 2], L: ["l", 2], C: ["c", 6], Z: ["h", 0] } as const;
const token = /\s*,?\s*([MLCZ]|-?(?:\d+(?:\.\d*)?|\.\d+))/gy;

/** Returns a description of the error in path data; undefined if the data is valid. */
export function pathProblem(data: string): string | undefined {
  return typeof readPath(data) === "string" ? (readPath(data) as string) : undefined;
}

export function pathOperators(data: string, write: (number: number) => string): string {
  const parts = readPath(data);
  if (typeof parts === "string") throw new Error(parts);
  return parts.map(({ operator, numbers }) => [...numbers.map(write), operator].join(" ")).join("\n");
}

/**
 * Parses the absolute commands M, L, C and Z of SVG paths (SVG 2, 9.3).
 * @returns the parts, or a description of the error
 */
function readPath(data: string): PathPart[] | string {
  const rule =
    "a path must begin with M, and contain only M x y, L x y, C x1 y1 x2 y2 x y and Z, with numbers from -5000 to 5000";
  const parts: PathPart[] = [];
  const tokens = Array.from(data.trim().matchAll(token), ([, found = ""]) => found);
  if (tokens.join("") !== data.replace(/[\s,]+/g, "")) return rule;
  let at = 0;
  while (at < tokens.length) {
    const letter = tokens[at] as keyof typeof commands;
    if (!Object.hasOwn(commands, letter)) return rule;
    if (parts.length === 0 && letter !== "M") return rule;
    const [operator, count] = commands[letter];
    at++;
    do {
      const numbers = tokens.slice(at, at + count).map(Number);
      if (numbers.length < count || numbers.some((number) => !(Math.abs(number) <= 5000))) return rule;
      parts.push({ operator, numbers });
      at += count;
    } while (count > 0 && at < tokens.length && !Object.hasOwn(commands, tokens[at] ?? ""));
  }
  return parts.length === 0 ? rule : parts;
}
