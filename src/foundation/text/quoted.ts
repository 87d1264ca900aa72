/** Maximum length shown of a value. A message travels in a gRPC header: a long one would break the call. */
const MAX_SHOWN = 100;

/**
 * Quotes a value for a message. It is shortened, and contains nothing that could break a line, a log or a
 * terminal.
 */
export function quoted(text: string): string {
  return escapeInvisible(JSON.stringify(shortened(text, MAX_SHOWN)));
}

/** Does the same without the quotes. */
export function printable(text: string, max = MAX_SHOWN): string {
  return escapeInvisible(shortened(text, max));
}

function shortened(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text;
}

/** Control characters, direction controls and line separators. */
function escapeInvisible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
