/** A rational number that is not negative. */
export type Fraction = readonly [numerator: bigint, denominator: bigint];

export const zero: Fraction = [0n, 1n];

/** Converts a number exactly from its decimal notation, in which the database receives it. */
export function exact(value: number): Fraction {
  const [digits = "", exponent = "0"] = String(value).split("e");
  const [whole = "", decimals = ""] = digits.split(".");
  const places = decimals.length - Number(exponent);
  const numerator = BigInt(whole + decimals);
  return places >= 0 ? [numerator, 10n ** BigInt(places)] : [numerator * 10n ** BigInt(-places), 1n];
}

export function plus([a, b]: Fraction, [c, d]: Fraction): Fraction {
  return [a * d + c * b, b * d];
}

export function times([a, b]: Fraction, [c, d]: Fraction): Fraction {
  return [a * c, b * d];
}

export function over(dividend: Fraction, [c, d]: Fraction): Fraction {
  return times(dividend, [d, c]);
}

/** Rounds to 6 decimals, half away from zero. @returns millionths */
export function millionths([numerator, denominator]: Fraction): bigint {
  return (2_000_000n * numerator + denominator) / (2n * denominator);
}
