import { chunk } from "./png.js";
import { MAX_CHUNKS, PNG_SIGNATURE, pngChunks } from "./png-chunks.js";
import { isBadge, KEYWORD } from "./unbake-png.js";

/**
 * Embeds a badge in a PNG, replacing any badge in it.
 * @param badge JSON in ASCII, or a JWT
 * @throws RangeError if the picture is not a PNG
 */
export function bakePng(picture: Uint8Array, badge: string): Buffer {
  const chunks = pngChunks(picture);
  if (!chunks)
    throw new RangeError(`the picture is not a PNG, is damaged, or has more than ${MAX_CHUNKS} chunks`);
  const [first, ...others] = chunks.filter((each) => !isBadge(each));
  const data = Buffer.concat([Buffer.from(`${KEYWORD}\0\0\0\0\0`, "latin1"), Buffer.from(badge, "ascii")]);
  return Buffer.concat([
    PNG_SIGNATURE,
    ...[...(first ? [first] : []), { type: "iTXt", data }, ...others].map((each) =>
      chunk(each.type, each.data),
    ),
  ]);
}
