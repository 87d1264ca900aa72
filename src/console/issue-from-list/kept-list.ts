import { keepInTab, keptInTab } from "../service/tab-memory.js";
import type { Choices, GivenList } from "./given-list.js";

/** As it is kept: a file has a character for each of its bytes, which takes the least room. */
interface KeptList {
  readonly text?: string;
  readonly name?: string;
  readonly bytes?: string;
  readonly choices: Choices;
}

const NAME = "list";
const CHUNK = 0x8000;

/** Keeps a list over a reload. @param list undefined: forgets it */
export function keepList(owner: string, list: GivenList | undefined): void {
  keepInTab(owner, NAME, list && toKept(list));
}

export function keptList(owner: string): GivenList | undefined {
  const kept = keptInTab(owner, NAME) as KeptList | undefined;
  if (!kept) return undefined;
  const { text, name, bytes, choices } = kept;
  if (text !== undefined) return { source: { kind: "text", text }, choices };
  if (name === undefined || bytes === undefined) return undefined;
  return {
    source: { kind: "file", name, bytes: Uint8Array.from(bytes, (each) => each.charCodeAt(0)) },
    choices,
  };
}

function toKept({ source, choices }: GivenList): KeptList {
  if (source.kind === "text") return { text: source.text, choices };
  const { name, bytes } = source;
  let characters = "";
  for (let start = 0; start < bytes.length; start += CHUNK) {
    characters += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  }
  return { name, bytes: characters, choices };
}
