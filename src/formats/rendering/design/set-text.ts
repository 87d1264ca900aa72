import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";
import type { Align, TextMark } from "../pdf/marks.js";
import { fitText, type Room, type TextBlock } from "../text/fit-text.js";
import type { TextStyle } from "../text/text-lines.js";

export interface TextAppearance extends Pick<TextMark, "color" | "option" | "tag" | "language"> {
  readonly style: TextStyle;
}

type SetText = (words: string, room: Room, x: number, baseline: Baseline, align: Align) => TextMark;

/** The baseline of the first line, or a function that derives it from the laid-out text. */
export type Baseline = number | ((block: TextBlock) => number);

/**
 * Returns a function that sets texts of one kind.
 * @param cached number of texts to cache; 1 if each credential has different texts
 */
export function prepareSetting({ style, ...look }: TextAppearance, cached = 100): SetText {
  const blocks = createBoundedCache<TextBlock>(cached);
  return (words, room, x, baseline, align) => {
    const block = blocks(`${Object.values(room)} ${words}`, () => fitText(words, style, room));
    return {
      kind: "text",
      ...look,
      block,
      x,
      baseline: typeof baseline === "number" ? baseline : baseline(block),
      align,
    };
  };
}
