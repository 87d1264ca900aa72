/** The content codings we can speak, the better one first. */
const CODINGS = ["br", "gzip"] as const;

export type Coding = (typeof CODINGS)[number];

/** A coding with its weight, as RFC 9110 has them in 12.4.2 and 12.5.3. */
const member = /^([!#$%&'*+.^`|~\w-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

/**
 * Chooses the coding of an answer by `Accept-Encoding`: what the client weighs highest, and of equals what is smaller.
 * Members that are malformed or unknown are passed over. undefined: the answer goes as it is; that is also what a client
 * gets who refuses even that, because an answer that he can't read tells him as little as a 406.
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
