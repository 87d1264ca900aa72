/**
 * Reads a body that someone else sends, to its end.
 * @param limit in bytes
 * @throws what `tooLarge` returns, once more bytes than the limit have come
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
