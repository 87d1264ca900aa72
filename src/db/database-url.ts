import { invalid } from "../errors.js";

const ONE_ADDRESS =
  "give it one address that leads to the server that accepts changes, such as HAProxy, a virtual IP, or the read-write " +
  "service of the cluster (-rw): connections that turn out to lead to a standby are replaced";

/**
 * Refuses anything but the URL of a single Postgres.
 * @throws Problem `invalid`
 */
export function checkDatabaseUrl(text: string): void {
  const [, scheme, authority = "", query = ""] = /^(\w+):\/\/([^/?#]*)[^?#]*\??([^#]*)/.exec(text) ?? [];
  const isPostgres = scheme === "postgres" || scheme === "postgresql";
  const parameters = new URLSearchParams(query);
  const hosts = [authority.slice(authority.lastIndexOf("@") + 1), ...parameters.getAll("host")];
  if (isPostgres && hosts.some((host) => host.includes(","))) {
    throw invalid(`names several hosts, of which the service can't choose: ${ONE_ADDRESS}`);
  }
  if (isPostgres && (parameters.get("target_session_attrs") ?? "any") !== "any") {
    throw invalid(
      `has target_session_attrs, which the service does not know: leave it out, and ${ONE_ADDRESS}`,
    );
  }
  if (!isPostgres || !URL.canParse(text)) {
    throw invalid("must be a URL that starts with postgres:// or postgresql://");
  }
}
