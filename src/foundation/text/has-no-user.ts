/**
 * Returns whether an address has no user name and no password: `https://harbour.example@evil.example/` leads to
 * evil.example, and others' passwords belong into no address that is shown or logged.
 */
export function hasNoUser(text: string): boolean {
  if (!URL.canParse(text)) return true; // refused for that
  const { username, password } = new URL(text);
  return username === "" && password === "" && !/^[a-z]+:\/\/[^/?#]*@/i.test(text);
}
