/** Returns a number and its noun in English, for example `1 file` or `1200 files`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
