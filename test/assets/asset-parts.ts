const CHUNK = 64 * 1024;

/** The messages that upload an asset. */
export async function* assetParts(
  slug: string,
  bytes: Uint8Array,
  more: { size?: number; etag?: string; createOnly?: boolean } = {},
) {
  yield { part: { case: "header" as const, value: { slug, size: bytes.length, ...more } } };
  for (let at = 0; at < bytes.length; at += CHUNK) {
    yield { part: { case: "chunk" as const, value: bytes.subarray(at, at + CHUNK) } };
  }
}
