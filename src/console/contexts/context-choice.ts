import { keyParts } from "#foundation/text/key-parts.js";
import type { Choice } from "../components/picker.js";

export function contextChoice(key: string, name: string): Choice {
  return { key, title: name || keyParts(key), detail: keyParts(key) };
}
