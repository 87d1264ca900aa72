const PLACES = 6;

/**
 * Rounds the decimal notation of a number to 6 decimals, half away from zero, like Postgres. For example, 0.8999995
 * becomes 0.9. `toFixed` would return 0.899999, because the binary number is slightly smaller.
 * @param value at least 0
 * @param shift the value is first multiplied by ten to this power. For example, 2 turns fractions into percentages
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
