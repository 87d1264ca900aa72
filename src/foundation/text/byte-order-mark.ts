/** Removes the byte order mark, which some editors, for example Notepad, write at the start of a file. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}
