const PLACES = 6;

/**
 * Rounds at 6 decimals, half away from zero, what a number reads as in decimals: 0.8999995 is 0.9. In binary it lies below
 * the half, and `toFixed` gives 0.899999; Postgres rounds attainments by their decimals.
 * @param value from 0 on
 * @param shift powers of ten to multiply by first: 2 makes percentages of fractions
 */
export function roundDecimal(value: number, shift = 0): number {
  const [digits = "", exponent = "0"] = value.toExponential().split("e");
  const significant = BigInt(digits.replace(".", ""));
  const decimals = Math.max(0, digits.length - 2);
  const beyond = decimals - Number(exponent) - shift - PLACES;
  if (beyond <= 0) return Number(`${digits}e${Number(exponent) + shift}`);
  const unit = 10n ** BigInt(beyond);
  return Number(`${(2n * significant + unit) / (2n * unit)}e-${PLACES}`);
}
