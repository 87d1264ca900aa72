const UUID = "[\\da-f]{8}-(?:[\\da-f]{4}-){3}[\\da-f]{12}";
/** Folders before the fixed part of a system's path. */
const BELOW = "(?:/[\\w.-]{1,100}){0,4}";

/** A verification address of another system: the shape of its path, and where the code is. */
interface OldAddress {
  readonly path: RegExp;
  /** The query parameter with the code. Default: the code is in the path's capture group */
  readonly parameter?: string;
}

const addresses: readonly OldAddress[] = [
  // Moodle, customcert
  { path: new RegExp(`^${BELOW}/mod/customcert/verify_certificate\\.php$`), parameter: "code" },
  // Open edX, certificates
  { path: /^\/certificates\/([\da-f]{32})\/?$/ },
  // Open edX, the plug-in learning-credentials: links to files
  { path: new RegExp(`^${BELOW}/(${UUID})\\.pdf$`, "i") },
  // Badgr
  { path: /^\/public\/assertions\/([\w-]{8,100})(?:\.json|\/image|\/baked)?\/?$/ },
  // Credly
  { path: new RegExp(`^/badges/(${UUID})(?:/public_url|/linked_in_profile)?/?$`, "i") },
  // Accredible
  { path: new RegExp(`^/(${UUID}|[\\da-z]{8})/?$`, "i") },
];

/** The patterns of all these paths, for routes. */
export const oldPaths: readonly RegExp[] = addresses.map(({ path }) => path);

/**
 * Reads the code in a verification address of another system.
 * @returns undefined if the address has none of these forms
 */
export function readOldAddress(path: string, query: URLSearchParams): string | undefined {
  for (const { path: shape, parameter } of addresses) {
    const match = shape.exec(path);
    if (match) return parameter === undefined ? match[1] : (query.get(parameter)?.trim() ?? "");
  }
  return undefined;
}

/** Longer texts are not addresses. */
const MAX_ADDRESS = 2000;

/** Reads the code in a text that a person pasted: an old address, or the code itself. */
export function readOldCode(text: string): string {
  const pasted = text.trim();
  if (pasted.length > MAX_ADDRESS || !URL.canParse(pasted)) return pasted;
  const { pathname, searchParams } = new URL(pasted);
  return readOldAddress(pathname, searchParams) ?? pasted;
}
