import { invalid } from "#foundation/errors.js";

const ONE_ADDRESS =
  "give it one address that leads to the server that accepts changes, such as HAProxy, a virtual IP, or the read-write " +
  "service of the cluster (-rw): connections that turn out to lead to a standby are replaced";

/**
 * Checks that a text is the URL of a single Postgres.
 * @throws Problem `invalid`
 */
export function checkDatabaseUrl(text: string): void {
  const [, scheme, authority = "", query = ""] = /^(\w+):\/\/([^/?#]*)[^?#]*\??([^#]*)/.exec(text) ?? [];
  const isPostgres = scheme === "postgres" || scheme === "postgresql";
  const parameters = new URLSearchParams(query);
  const hosts = [authority.slice(authority.lastIndexOf("@") + 1), ...parameters.getAll("host")];
  if (isPostgres && hosts.some((host) => host.includes(","))) {
    throw invalid(`names several hosts, between which the service can't choose: ${ONE_ADDRESS}`);
  }
  if (isPostgres && (parameters.get("target_session_attrs") ?? "any") !== "any") {
    throw invalid(
      `has target_session_attrs, which the service does not support: remove it, and ${ONE_ADDRESS}`,
    );
  }
  if (!isPostgres || !URL.canParse(withHost(text))) {
    throw invalid(
      "must be a URL that starts with postgres:// or postgresql://, such as postgres://user:password@host/database",
    );
  }
}

/** Replaces SSL modes that the driver treats as `verify-full`, because it would print a long warning. */
export function exactSslMode(text: string): string {
  if (/[?&]uselibpqcompat=/.test(text)) return text;
  return text.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, "$1verify-full");
}

/**
 * Adds a host, which the URL parser requires. libpq also accepts a URL with a user but without a host; the host is then
 * in the query.
 */
function withHost(text: string): string {
  return text.replace(/^(\w+:\/\/[^/?#]*@)(?=[/?#]|$)/, "$1localhost");
}

/** Returns the host or socket directory, and the name of the database, without user and password. */
export function describeDatabaseUrl(text: string): string {
  const { host, hostname, pathname, searchParams } = new URL(withHost(text));
  const socket = searchParams.get("host") ?? decodeURIComponent(hostname);
  return `${socket.startsWith("/") ? socket : host}${pathname}`;
}
