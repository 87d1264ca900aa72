/** SQL: points earned of points possible as a percentage, to 30 decimals: Postgres would stop at some 16 digits. */
export function percentage(earned: string, possible: string): string {
  return `round(100 * ${earned}, 30) / ${possible}`;
}

/**
 * SQL: a percentage, or a sum of them, rounded at 6 places, half away from zero. What is exactly half a millionth may
 * come out a little below, as 1/3 has no end: it is put right at 24 places first.
 */
export function rounded(expression: string): string {
  return `round(round(${expression}, 24), 6)`;
}
