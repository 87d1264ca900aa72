/** Fills placeholders such as `{name}` in one pass, so that braces in a value stay as they are. Unknown ones stay, too. */
export function fillIn(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}
