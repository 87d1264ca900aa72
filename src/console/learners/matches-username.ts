/** Returns whether the typed text is the username. Spaces are compared as pages show them. */
export function matchesUsername(typed: string, username: string): boolean {
  return shown(typed) === shown(username);
}

/** Removes spaces at both ends, and reduces runs of spaces to one. */
function shown(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}
