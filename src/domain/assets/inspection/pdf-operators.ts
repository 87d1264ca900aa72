import { invalid } from "#foundation/errors.js";
import { PRINT_TO_NEW_PDF } from "./remedies.js";

/**
 * Maximum number of graphics states and marked contents that may be open at once. ISO 32000-1 requires 28 (annex C).
 * Poppler needs 5 KB of memory for each open state, and takes minutes for a hundred thousand open marked contents.
 */
const MAX_OPEN = 256;

/** Maximum number of pieces of a path. Poppler needs up to 2.4 KB for each. */
const MAX_PIECES = 100_000;

/**
 * Matches operators that open and close states, and syntax that hides operators. Programs disagree whether an operator
 * must be separated from the operand before it. To be safe, operators that increase a count also match without a
 * separator.
 */
const TOKEN =
  /[%(<]|(?<![^\0\t\n\f\r ()<>[\]{}\d.])(?:q|BMC|BDC|ID|m|l|c|v|y|re)(?![^\0\t\n\f\r ()<>[\]{}/%])|(?<![^\0\t\n\f\r ()<>[\]{}])(?:Q|EMC|[sSn]|[fBb]\*?|F)(?![^\0\t\n\f\r ()<>[\]{}/%])/g;

/**
 * Checks that a viewer needs little memory to draw a content stream.
 * @param text of the content stream, in Latin-1
 * @throws Problem `invalid`
 */
export function checkOperators(text: string): void {
  let states = 0;
  let marks = 0;
  let pieces = 0;
  for (const token = new RegExp(TOKEN); ; ) {
    const found = token.exec(text);
    if (!found) return;
    const [operator] = found;
    switch (operator) {
      case "%":
      case "(":
      case "<":
        token.lastIndex = skip(text, found.index);
        break;
      case "ID": {
        // Programs disagree where an inline image ends, so only operators that open states are counted in it.
        const end = endOfImage(text, token.lastIndex);
        states += text.slice(token.lastIndex, end).match(/\bq\b/g)?.length ?? 0;
        token.lastIndex = end;
        break;
      }
      case "q":
        states++;
        break;
      case "Q":
        states = Math.max(0, states - 1);
        break;
      case "BMC":
      case "BDC":
        marks++;
        break;
      case "EMC":
        marks = Math.max(0, marks - 1);
        break;
      case "m":
      case "l":
      case "c":
      case "v":
      case "y":
      case "re":
        pieces += operator === "re" ? 4 : 1;
        break;
      default: // the path is painted
        pieces = 0;
    }
    if (states > MAX_OPEN || marks > MAX_OPEN) {
      throw invalid(
        `A drawing of the PDF keeps more than ${MAX_OPEN} graphics states or marks open. ${PRINT_TO_NEW_PDF}`,
      );
    }
    if (pieces > MAX_PIECES) {
      throw invalid(`The PDF has a path of more than ${MAX_PIECES} pieces: simplify it.`);
    }
  }
}

const MASK_TOKEN =
  /[%(<]|\/([^\0\s()<>[\]{}/%]+)[\0\s]+gs(?![^\0\s()<>[\]{}/%])|(?<![^\0\s()<>[\]{}\d.])(?:q|Q|ID|[sSF]|[fBb]\*?|sh|Do|Tj|TJ|EI|["'])(?![^\0\s()<>[\]{}/%])/g;

/**
 * Counts the painting operators under each mask, because a viewer draws the mask again for each of them.
 * @param text of one content stream, in Latin-1
 * @param changesMask whether a graphics state sets a mask (true), removes it (false), or does neither (undefined)
 * @returns counts by the name of the graphics state
 */
export function paintsUnderMasks(
  text: string,
  changesMask: (name: string) => boolean | undefined,
): Map<string, number> {
  const paints = new Map<string, number>();
  const outer: (string | undefined)[] = [];
  let mask: string | undefined;
  for (const token = new RegExp(MASK_TOKEN); ; ) {
    const found = token.exec(text);
    if (!found) return paints;
    const [operator, name] = found;
    if (name !== undefined) {
      const change = changesMask(name);
      if (change !== undefined) mask = change ? name : undefined;
    } else if (operator === "%" || operator === "(" || operator === "<") {
      token.lastIndex = skip(text, found.index);
    } else if (operator === "q") outer.push(mask);
    else if (operator === "Q") mask = outer.length > 0 ? outer.pop() : mask;
    else {
      if (operator === "ID") token.lastIndex = endOfImage(text, token.lastIndex);
      if (mask !== undefined) paints.set(mask, (paints.get(mask) ?? 0) + 1);
    }
  }
}

const PATH_TOKEN = /[%(<]|\/[^\0\s()<>[\]{}/%]*|[-+]?(?:\d+\.?\d*|\.\d+)|[A-Za-z]+/g;

/**
 * Returns the total length of all lines of a content stream, in the stream's own units. Curves are measured along their
 * control points.
 * @param text of one content stream, in Latin-1
 */
export function lengthOfPaths(text: string): number {
  let length = 0;
  let from: readonly number[] = [0, 0];
  let numbers: number[] = [];
  for (const token = new RegExp(PATH_TOKEN); ; ) {
    const found = token.exec(text)?.[0];
    if (found === undefined) return length;
    const at = token.lastIndex - found.length;
    if (found === "%" || found === "(" || found === "<") token.lastIndex = skip(text, at);
    else if (found === "ID") token.lastIndex = endOfImage(text, token.lastIndex);
    else if (/^[-+.\d]/.test(found)) numbers.push(Number(found));
    else if (!found.startsWith("/")) {
      const count =
        found === "re" ? 4 : found === "c" ? 6 : /^[vy]$/.test(found) ? 4 : /^[ml]$/.test(found) ? 2 : 0;
      const operands = count > 0 ? numbers.slice(-count) : [];
      numbers = [];
      if (operands.length < count || count === 0) continue;
      if (found === "re") length += 2 * (Math.abs(operands[2] ?? 0) + Math.abs(operands[3] ?? 0));
      else {
        for (let index = 0; index < count; index += 2) {
          const to = operands.slice(index, index + 2);
          if (found !== "m")
            length += Math.hypot((to[0] ?? 0) - (from[0] ?? 0), (to[1] ?? 0) - (from[1] ?? 0));
          from = to;
        }
      }
    }
  }
}

/**
 * Returns the end of a comment, text or hexadecimal text that begins at `at`. For a dictionary (`<<`), returns the
 * position after these two characters.
 */
function skip(text: string, at: number): number {
  if (text[at] === "%") return indexAfter(text, /[\r\n]/g, at);
  if (text[at] === "(") return endOfText(text, at);
  return text[at + 1] === "<" ? at + 2 : indexAfter(text, />/g, at);
}

/**
 * Returns the end of a text. Parentheses in a text are nested unless a backslash precedes them (ISO 32000-1, 7.3.4.2).
 */
function endOfText(text: string, at: number): number {
  const special = /[\\()]/g;
  special.lastIndex = at;
  for (let depth = 0; ; ) {
    const found = special.exec(text);
    if (!found) return text.length;
    if (found[0] === "\\") special.lastIndex++;
    else depth += found[0] === "(" ? 1 : -1;
    if (depth === 0) return special.lastIndex;
  }
}

function endOfImage(text: string, at: number): number {
  return indexAfter(text, /[\0\t\n\f\r ]EI(?=[\0\t\n\f\r ]|$)/g, at);
}

function indexAfter(text: string, sought: RegExp, at: number): number {
  sought.lastIndex = at;
  return sought.exec(text) ? sought.lastIndex : text.length;
}
