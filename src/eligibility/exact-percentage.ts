/**
 * SQL: points earned of points possible as a percentage, to 30 decimals. Postgres would stop at about 16
 * digits.
 */
export function percentage(earned: string, possible: string): string {
  return `round(100 * ${earned}, 30) / ${possible}`;
}

/**
 * SQL: a percentage, or a sum of them, rounded to 6 decimals, half away from zero. As 1/3 is not a finite
 * decimal, an exact half of a millionth may come out slightly too low. Rounding to 24 decimals first corrects
 * that.
 */
export function rounded(expression: string): string {
  return `round(round(${expression}, 24), 6)`;
}
