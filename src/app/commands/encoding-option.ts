import { invalid } from "#foundation/errors.js";
import { type Encoding, encodingNamed, encodings } from "#foundation/text/tables/encodings.js";

/** @throws Problem `invalid` if the encoding is unknown */
export function encodingOf({ encoding }: { readonly encoding?: string | undefined }): Encoding | undefined {
  if (encoding === undefined) return undefined;
  const named = encodingNamed(encoding);
  if (named) return named;
  throw invalid(
    `--encoding is ${JSON.stringify(encoding)}; it must be one of ${encodings.join(", ")}, or a label of one, such as cp1250.`,
  );
}
