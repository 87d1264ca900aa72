/**
 * Returns the path of the public URL, without a trailing slash; empty if there is none. A proxy that serves the service
 * below a path removes it, so it has to be in every address that starts with a slash.
 */
export function basePathOf(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/$/, "");
}
