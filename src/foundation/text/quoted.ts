/** Maximum length of a quoted value. Messages are sent in gRPC headers, where a long one would make the call fail. */
const MAX_SHOWN = 100;

/**
 * Quotes a value for a message. Long values are shortened; characters that could disturb a line, a log or a terminal
 * are escaped.
 */
export function quoted(text: string): string {
  return escapeInvisible(JSON.stringify(shortened(text, MAX_SHOWN)));
}

/** Prepares a value for a message without quotes. */
export function printable(text: string, max = MAX_SHOWN): string {
  return escapeInvisible(shortened(text, max));
}

function shortened(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text;
}

/** Escapes control characters, direction controls and line separators. */
function escapeInvisible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
