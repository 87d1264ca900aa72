import { readFromTab, storeInTab } from "../service/tab-memory.js";
import type { Choices, UploadedList } from "./uploaded-list.js";

/** A list in the tab's storage. `bytes` has one character for each byte of the file, which is shorter than Base64. */
interface StoredList {
  readonly text?: string;
  readonly name?: string;
  readonly bytes?: string;
  readonly choices: Choices;
}

const NAME = "list";
const CHUNK = 0x8000;

/**
 * Stores a list so that it survives a reload.
 * @param list undefined to remove the stored list
 */
export function storeList(owner: string, list: UploadedList | undefined): void {
  storeInTab(owner, NAME, list && toStored(list));
}

export function storedList(owner: string): UploadedList | undefined {
  const stored = readFromTab(owner, NAME) as StoredList | undefined;
  if (!stored) return undefined;
  const { text, name, bytes, choices } = stored;
  if (text !== undefined) return { source: { kind: "text", text }, choices };
  if (name === undefined || bytes === undefined) return undefined;
  return {
    source: { kind: "file", name, bytes: Uint8Array.from(bytes, (each) => each.charCodeAt(0)) },
    choices,
  };
}

function toStored({ source, choices }: UploadedList): StoredList {
  if (source.kind === "text") return { text: source.text, choices };
  const { name, bytes } = source;
  let characters = "";
  for (let start = 0; start < bytes.length; start += CHUNK) {
    characters += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  }
  return { name, bytes: characters, choices };
}
