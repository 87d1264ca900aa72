/**
 * Reads a body from an external source completely.
 * @param limit in bytes
 * @throws the result of `tooLarge` if the body exceeds the limit
 */
export async function readBounded(
  body: AsyncIterable<Uint8Array> | null,
  limit: number,
  tooLarge: () => Error,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
