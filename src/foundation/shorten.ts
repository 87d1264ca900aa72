/** Shortens a text to at most `max` UTF-16 code units. An ellipsis marks the cut. */
export function shorten(text: string, max: number): string {
  return text.length > max ? `${truncate(text, max - 1)}…` : text;
}

/** Cuts a text to at most `max` UTF-16 code units, never between the halves of a surrogate pair. */
export function truncate(text: string, max: number): string {
  return text.length > max ? text.slice(0, max).replace(/[\ud800-\udbff]$/, "") : text;
}
