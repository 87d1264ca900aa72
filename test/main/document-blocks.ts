export interface Block {
  /** The word after the three backticks, such as sh or json. Empty if there is none. */
  readonly language: string;
  readonly text: string;
  /** The data file or script that the block contains. Defined if the text after the previous block names a file. */
  readonly file: string | undefined;
}

/** Returns the code blocks of a document, in order. */
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
