/** Supported content codings. The one that compresses best comes first. */
const CODINGS = ["br", "gzip"] as const;

export type Coding = (typeof CODINGS)[number];

/** A coding with its weight (RFC 9110, 12.4.2 and 12.5.3). */
const member = /^([!#$%&'*+.^`|~\w-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

/**
 * Selects the content coding with the highest weight in `Accept-Encoding`. If several have the same weight, selects the
 * one that compresses best. Skips malformed and unknown codings.
 *
 * Returns undefined if the content is to be sent without a coding. This also applies to clients that accept neither a
 * supported coding nor uncompressed content, because status 406 would not help them.
 */
export function chooseCoding(header: string | undefined): Coding | undefined {
  if (!header) return undefined;
  const weights = new Map<string, number>();
  for (const part of header.split(",")) {
    const [, name, weight = "1"] = member.exec(part.trim()) ?? [];
    if (name !== undefined) weights.set(name.toLowerCase().replace(/^x-(?=gzip$)/, ""), Number(weight));
  }
  let best: Coding | undefined;
  let bestWeight = 0;
  for (const coding of CODINGS) {
    const weight = weights.get(coding) ?? weights.get("*") ?? 0;
    if (weight > bestWeight) [best, bestWeight] = [coding, weight];
  }
  return bestWeight >= (weights.get("identity") ?? 0) ? best : undefined;
}
