/** Shortens a text to `max` characters. An ellipsis marks the cut. */
export function shortened(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text;
}
