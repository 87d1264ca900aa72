/**
 * Returns the path of the public URL, without a trailing slash; empty if there is none. A proxy that serves us below a
 * path strips it from requests, so every absolute path in a response must include it.
 */
export function basePathOf(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/$/, "");
}
