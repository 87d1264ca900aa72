type Json = Record<string, unknown>;

/**
 * Returns one copy of the document for each of its values. The value is changed in the copy, and its path is returned
 * with it.
 */
export function changedLeaves<T extends object>(document: T): [path: string, changed: Json][] {
  return paths(document, []).map((path) => {
    const copy = structuredClone(document) as Json;
    const last = path.at(-1) ?? "";
    const parent = path.slice(0, -1).reduce<Json>((value, name) => value[name] as Json, copy);
    parent[last] = changed(parent[last]);
    return [path.join("."), copy];
  });
}

function paths(value: unknown, path: readonly string[]): string[][] {
  if (typeof value !== "object" || value === null) return [[...path]];
  return Object.entries(value).flatMap(([name, each]) => paths(each, [...path, name]));
}

/** Returns a different value, of the same type unless the value is null. */
function changed(value: unknown): unknown {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + 1;
  const text = String(value);
  const at = [...text].findLastIndex((letter) => /[A-Za-z0-9]/.test(letter));
  if (at === -1) return `${text}x`;
  const letters = [...text];
  letters[at] = /\d/.test(letters[at] ?? "")
    ? String((Number(letters[at]) + 1) % 10)
    : letters[at] === "x"
      ? "y"
      : "x";
  return letters.join("");
}
