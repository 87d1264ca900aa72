/** Returns a text without the byte order mark that some editors, such as Notepad, put at the start of a file. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}
