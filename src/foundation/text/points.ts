/** Default highest grade of the scale `points`. */
export const USUAL_POINTS = 20;

/**
 * Converts a percentage with at most 6 decimals to points with at most 2 decimals. Rounds down, except for the rounding
 * error of the percentage itself: 59.99 % of 20 is 11.99.
 */
export function pointsOf(percentage: number, points: number): number {
  const hundredMillionths = Math.round(percentage * 1e6) * points;
  const precision = points > 100 ? 10_000 : 1000;
  const corrected = Math.round(hundredMillionths / precision) * precision;
  return Math.floor(corrected / 1e6) / 100;
}
