/** Content codings that we support, best first. */
const CODINGS = ["br", "gzip"] as const;

export type Coding = (typeof CODINGS)[number];

/** A coding with its weight (RFC 9110, 12.4.2 and 12.5.3). */
const member = /^([!#$%&'*+.^`|~\w-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

/**
 * Selects the coding of a response by `Accept-Encoding`: the one with the highest weight or, if equal, the one that
 * compresses better. Malformed or unknown members are skipped.
 *
 * undefined means no coding. It is also used if a client refuses even that: a response it can't read is no worse than a
 * 406.
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
