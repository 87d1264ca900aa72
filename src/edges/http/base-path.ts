/**
 * Returns the path of the public URL. A proxy removes it from requests, so absolute paths in responses must include it.
 */
export function basePathOf(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/$/, "");
}
