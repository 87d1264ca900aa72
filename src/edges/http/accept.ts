const qualityValue = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

export const HTML_PATTERN = /^text\/html$/;
export const JSON_PATTERN = /^application\/(?:[\w.+-]+\+)?json$/;

/**
 * Returns the highest weight, from 0 to 1, that an `Accept` header gives to media types that match a lower-case pattern
 * (RFC 9110, 12.5.1). Ignores wildcards, because nearly every client sends one. A malformed weight counts as 0.
 */
export function acceptedWeight(header: string | undefined, type: RegExp): number {
  const weights = (header ?? "").split(",").map((member) => {
    const [name = "", ...parameters] = member.split(";").map((part) => part.trim());
    if (!type.test(name.toLowerCase())) return 0;
    const weight = parameters.find((parameter) => /^q=/i.test(parameter));
    return weight === undefined ? 1 : Number(qualityValue.exec(weight)?.[1] ?? 0);
  });
  return Math.max(...weights);
}
