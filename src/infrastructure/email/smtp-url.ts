import { invalid } from "#foundation/errors.js";

/** An email server, and how to connect to it. */
export interface SmtpServer {
  readonly host: string;
  /** undefined for the usual port, see `portOf`. */
  readonly port: number | undefined;
  /** Use TLS from the first byte. Otherwise TLS is started if the server offers it. */
  readonly secure: boolean;
  /** Send nothing without TLS. */
  readonly requireTls: boolean;
  /** Use no TLS, even if the server offers it. */
  readonly ignoreTls?: boolean;
  /** Whether Node must trust the server's certificate. */
  readonly verifiesCertificate: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | undefined;
}

export function portOf({ port, secure }: Pick<SmtpServer, "port" | "secure">): number {
  return port ?? (secure ? 465 : 587);
}

const REQUIRE_TLS = "requireTLS";
const REJECT_UNAUTHORIZED = "tls.rejectUnauthorized";
const flags = new Map([
  ["true", true],
  ["false", false],
]);

/**
 * Parses `smtp[s]://[user:password@]host[:port][/?requireTLS=…&tls.rejectUnauthorized=…]`. With a password, TLS is
 * required unless `requireTLS=false`.
 *
 * nodemailer's own parser accepts every parameter as one of its options, and these options override the options set in
 * code. With that parser, a URL could make the service print all emails, or allow emails to attach local files.
 * @throws Problem `invalid`, without the URL, which may contain a password
 */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^smtps?:$/.test(url.protocol) || url.hostname === "") {
    throw invalid(
      "must be a URL that starts with smtp:// or smtps://, such as smtp://user:password@mail.example.org:587",
    );
  }
  if (!/^\/?$/.test(url.pathname) || url.hash !== "") throw invalid("must have no path and no fragment");
  const parameters = readFlags(url.searchParams);
  const auth = readAuth(url);
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? undefined : Number(url.port),
    secure: url.protocol === "smtps:",
    requireTls: parameters.get(REQUIRE_TLS) ?? auth !== undefined,
    verifiesCertificate: parameters.get(REJECT_UNAUTHORIZED) ?? true,
    auth,
  };
}

function readFlags(parameters: URLSearchParams): Map<string, boolean> {
  const read = new Map<string, boolean>();
  for (const [name, text] of parameters) {
    const value = flags.get(text);
    if (![REQUIRE_TLS, REJECT_UNAUTHORIZED].includes(name) || value === undefined || read.has(name)) {
      throw invalid(
        `may have the parameters ${REQUIRE_TLS} and ${REJECT_UNAUTHORIZED}, each at most once, with the value true or false`,
      );
    }
    read.set(name, value);
  }
  return read;
}

function readAuth({ username, password }: URL): SmtpServer["auth"] {
  if (username === "" && password === "") return undefined;
  try {
    return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  } catch (error) {
    throw invalid("must have each % in its user name and password written as %25", error);
  }
}
