/**
 * Returns whether a URL has no user name and no password. `https://harbour.example@evil.example/` leads to
 * evil.example, and URLs with passwords must not be shown or logged.
 */
export function hasNoUser(text: string): boolean {
  if (!URL.canParse(text)) return true; // rejected elsewhere
  const { username, password } = new URL(text);
  return username === "" && password === "" && !/^[a-z]+:\/\/[^/?#]*@/i.test(text);
}
