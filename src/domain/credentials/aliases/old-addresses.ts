const UUID = "[\\da-f]{8}-(?:[\\da-f]{4}-){3}[\\da-f]{12}";
/** Matches folders, because another system may be installed up to four folders below the root of its host. */
const FOLDERS = "(?:/[\\w.-]{1,100}){0,4}";

/** The form of a verification address of another system. */
interface OldAddress {
  readonly path: RegExp;
  /** Name of the query parameter with the code. If undefined, the code is the capture group of `path`. */
  readonly parameter?: string;
}

const addresses: readonly OldAddress[] = [
  // Moodle, customcert
  { path: new RegExp(`^${FOLDERS}/mod/customcert/verify_certificate\\.php$`), parameter: "code" },
  // Open edX, certificates
  { path: /^\/certificates\/([\da-f]{32})\/?$/ },
  // Open edX, links to files of the plug-in learning-credentials
  { path: new RegExp(`^${FOLDERS}/(${UUID})\\.pdf$`, "i") },
  // Badgr
  { path: /^\/public\/assertions\/([\w-]{8,100})(?:\.json|\/image|\/baked)?\/?$/ },
  // Credly
  { path: new RegExp(`^/badges/(${UUID})(?:/public_url|/linked_in_profile)?/?$`, "i") },
  // Accredible
  { path: new RegExp(`^/(${UUID}|[\\da-z]{8})/?$`, "i") },
];

export const oldPaths: readonly RegExp[] = addresses.map(({ path }) => path);

/**
 * Returns the code in a verification address of another system; empty if the address lacks its code. Returns
 * `undefined` if the address has no known form.
 */
export function readOldAddress(path: string, query: URLSearchParams): string | undefined {
  for (const { path: shape, parameter } of addresses) {
    const match = shape.exec(path);
    if (match) return parameter === undefined ? match[1] : (query.get(parameter)?.trim() ?? "");
  }
  return undefined;
}

/** Longer texts are not read as addresses. */
const MAX_ADDRESS = 2000;

/** Returns the code in a pasted text, which is either an address of another system or the code itself. */
export function readOldCode(text: string): string {
  const pasted = text.trim();
  if (pasted.length > MAX_ADDRESS || !URL.canParse(pasted)) return pasted;
  const { pathname, searchParams } = new URL(pasted);
  return readOldAddress(pathname, searchParams) ?? pasted;
}
