import type { PreviewText } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import type { Chapters } from "../i18n/load-chapter.js";
import type { Collisions } from "./collisions.js";
import type { Item } from "./items.js";

/** A statement about a text or another item. Its `look` says how serious it is: `bad` prevents issuing. */
export interface Judgement {
  readonly words: string;
  readonly look: "good" | "warn" | "bad";
}

/** Returns how a text was printed: as requested, smaller, on more lines, or not at all. */
export function judged(
  { missing, unreadable, shrunk, wrapped, size, requestedSize, lines }: PreviewText,
  words: Chapters["designer"],
  percent: (fraction: number) => string,
  list: (items: readonly string[]) => string,
): Judgement {
  if (missing.length > 0) return { words: words.noLetters({ letters: missing.join(" ") }), look: "bad" };
  if (unreadable) return { words: words.tooSmall, look: "bad" };
  const faults = [
    ...(shrunk ? [words.shrunkTo({ percent: percent(Math.round((size / requestedSize) * 100) / 100) })] : []),
    ...(wrapped ? [words.lines({ n: lines })] : []),
  ];
  return faults.length > 0 ? { words: list(faults), look: "warn" } : { words: words.fits, look: "good" };
}

/** Returns whether a place for a logo stays empty, because neither the design nor the branding has a logo. */
export function lacksLogo({ kind, isPrinted, isHidden }: Item): boolean {
  return kind === "logo" && !isPrinted && !isHidden;
}

export function collisionJudgements(
  { overlaps, isCut }: Collisions,
  nameOf: (item: Item) => string,
  words: Chapters["designer"],
  list: (items: readonly string[]) => string,
): readonly Judgement[] {
  return [
    ...(overlaps.length > 0
      ? [{ words: words.overlaps({ items: list(overlaps.map(nameOf)) }), look: "warn" as const }]
      : []),
    ...(isCut ? [{ words: words.isCut, look: "bad" as const }] : []),
  ];
}
