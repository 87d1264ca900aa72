/** Returns the host to use in URLs for a server on this machine that listens on `host`. */
export function reachableHost(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}

/** Returns the base URL, without a trailing slash, of a service on this machine with these settings. */
export function localUrl(
  { host, httpPort, tls }: { readonly host: string; readonly httpPort: number; readonly tls?: unknown },
  port = httpPort,
): string {
  return `${tls ? "https" : "http"}://${reachableHost(host)}:${port}`;
}
