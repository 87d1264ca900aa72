import { createBoundedCache } from "../concurrency/bounded-cache.js";

/** Formats a percentage with at most two decimals and never rounds up: 69.999 is printed as 69.99. */
export function percentageIn(percentage: number, language: string): string {
  const exact = `${percentage}E-2` as Intl.StringNumericLiteral; // a division could come out slightly lower
  return formatOf(language, "percent").format(exact);
}

/** Formats a number with at most two decimals. */
export function numberIn(number: number, language: string): string {
  return formatOf(language, "decimal").format(number);
}

const formats = createBoundedCache<Intl.NumberFormat>(100);

function formatOf(language: string, style: "percent" | "decimal"): Intl.NumberFormat {
  const options = { style, maximumFractionDigits: 2, roundingMode: "trunc" } as const;
  return formats(`${style} ${language}`, () => new Intl.NumberFormat(language, options));
}
