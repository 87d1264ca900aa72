/** Returns the host for URLs that reach a server listening on `host` from the same machine. */
export function reachableHost(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}

/** Returns the base URL of a service with these settings on this machine, without a trailing slash. */
export function localUrl(
  { host, httpPort, tls }: { readonly host: string; readonly httpPort: number; readonly tls?: unknown },
  port = httpPort,
): string {
  return `${tls ? "https" : "http"}://${reachableHost(host)}:${port}`;
}
