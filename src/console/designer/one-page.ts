import type { JsonObject } from "@bufbuild/protobuf";

/**
 * Ensures that a page has only one background. A coloured page and a PDF exclude each other, so the one that was set
 * last replaces the other. A PDF also replaces the shapes, because they frame a coloured page.
 */
export function withOnePage(before: JsonObject, after: JsonObject): JsonObject {
  if (after.paper === undefined || after.template === undefined) return after;
  if (after.template === before.template) return without(after, ["template"]);
  return without(after, ["paper", "shapes"]);
}

function without(options: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name)));
}
