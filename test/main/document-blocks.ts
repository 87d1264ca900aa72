/** A block of code in a document. */
export interface Block {
  /** The word after the three backticks, such as sh or json, or nothing. */
  readonly language: string;
  readonly text: string;
  /** The data file or script that the block contains, if the text since the last block names one. */
  readonly file: string | undefined;
}

/** The blocks of a document, in order. */
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
