const HOME = "/console/";

/**
 * Returns where to go after signing in: the given path if it is one of the console's, otherwise its start. It must
 * lead nowhere else: a link to this service could bring its visitors to a page that asks for their password.
 */
export function returnPath(requested: string | null): string {
  if (requested === null || !requested.startsWith(HOME) || /[\\\p{Cc}]/u.test(requested)) return HOME;
  const base = "http://localhost";
  if (!URL.canParse(requested, base)) return HOME;
  const { origin, pathname, search } = new URL(requested, base);
  return origin === base && pathname.startsWith(HOME) ? `${pathname}${search}` : HOME;
}
