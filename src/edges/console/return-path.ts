const HOME = "/console/";

/**
 * Returns the path to redirect to after sign-in. This is the requested path if it belongs to the console; otherwise
 * `/console/`. The path never leads to another site, because links to this service could otherwise be used for
 * phishing.
 */
export function returnPath(requested: string | null): string {
  if (requested === null || !requested.startsWith(HOME) || /[\\\p{Cc}]/u.test(requested)) return HOME;
  const base = "http://localhost";
  if (!URL.canParse(requested, base)) return HOME;
  const { origin, pathname, search } = new URL(requested, base);
  return origin === base && pathname.startsWith(HOME) ? `${pathname}${search}` : HOME;
}
