const HOME = "/console/";

/**
 * Returns the path to redirect to after sign-in: the requested path if it is one of the console's, otherwise the
 * console's start page. A redirect to any other site must be impossible, because a link to this service could then lead
 * to a page that phishes for passwords.
 */
export function returnPath(requested: string | null): string {
  if (requested === null || !requested.startsWith(HOME) || /[\\\p{Cc}]/u.test(requested)) return HOME;
  const base = "http://localhost";
  if (!URL.canParse(requested, base)) return HOME;
  const { origin, pathname, search } = new URL(requested, base);
  return origin === base && pathname.startsWith(HOME) ? `${pathname}${search}` : HOME;
}
