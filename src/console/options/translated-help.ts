import { isolated } from "../components/isolated.js";
import type { Chapters } from "../i18n/load-chapter.js";

/** Codes at the end of a line, such as tags of languages: they are the same in every language. */
const CODES = /: [\w.-]+(?:<[^>]*>)?(?:, [\w.-]+(?:<[^>]*>)?)+$/;

/** Placeholders, JSON, `\\n` and addresses, which run from left to right in every language. */
const LEFT_TO_RIGHT = /\{["A-Za-z][^{}]*\}|\\n|https?:\/\/\S*/g;

/** Help of the service in other words, line by line; undefined where a line has none. */
export function translatedHelp(help: string, helps: Chapters["helps"]): string | undefined {
  const lines = help.split("\n").map((line) => {
    const said = withoutCodes(line);
    const own = (helps as Readonly<Record<string, string>>)[said];
    return own && own.replaceAll(LEFT_TO_RIGHT, isolated) + line.slice(said.length);
  });
  return lines.includes(undefined) ? undefined : lines.join("\n");
}

/** What of a line of help has words of its own in each language. */
export function withoutCodes(line: string): string {
  return line.replace(CODES, "");
}
