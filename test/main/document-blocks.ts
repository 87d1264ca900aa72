/** A block of code in a document. */
export interface Block {
  /** As it says after its three backticks: sh, json, …, or nothing. */
  readonly language: string;
  readonly text: string;
  /** The data file or script whose content it is, when the text since the block before names one. */
  readonly file: string | undefined;
}

/** The blocks in their order. */
export function readBlocks(document: string): Block[] {
  const blocks: Block[] = [];
  let end = 0;
  for (const { 0: whole, 1: language = "", 2: text = "", index } of document.matchAll(
    /^```(\w*)\n([\s\S]*?)^```$/gm,
  )) {
    const file = [...document.slice(end, index).matchAll(/`([\w-]+\.(?:ndjson|mjs))`/g)].at(-1)?.[1];
    blocks.push({ language, text, file });
    end = index + whole.length;
  }
  return blocks;
}
