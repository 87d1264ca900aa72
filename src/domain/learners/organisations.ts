import type { Query } from "#infrastructure/db/transaction.js";

/** The organisations whose courses and paths a caller may access; undefined: all of them. */
export type Organisations = readonly string[] | undefined;

/** Returns the `org` of a well-formed key of a course or learning path. */
export function organisationOf(learningContextKey: string): string {
  const [before = ""] = learningContextKey.split("+", 1);
  return before.slice(before.indexOf(":") + 1);
}

/** Returns whether a course or learning path belongs to one of the organisations. */
export function isWithin(organisations: Organisations, learningContextKey: string): boolean {
  return organisations === undefined || organisations.includes(organisationOf(learningContextKey));
}

/** SQL: the organisation in the key in a column. Indexes use this exact expression. */
export function organisationIn(column: string): string {
  return `split_part(substr(${column}, strpos(${column}, ':') + 1), '+', 1)`;
}

/**
 * SQL: true if the key in a column belongs to one of the organisations.
 * @param mark the parameter with the organisations, `?` or `:organisations`; not used if `organisations` is undefined
 */
export function withinSql(
  column: string,
  organisations: Organisations,
  mark: "?" | ":organisations",
): string {
  return organisations === undefined ? "true" : `${organisationIn(column)} = any (cast(${mark} as text[]))`;
}

/**
 * SQL: the same condition as `withinSql`, for tables with an index on the keys in byte order. The keys of one
 * organisation are a range of that index.
 */
export function withinRanges(column: string, organisations: Organisations): Query {
  if (organisations === undefined) return { sql: "true", bindings: [] };
  const names = organisations.filter((org) => !org.includes("+")); // the others are not organisations
  if (names.length === 0) return { sql: "false", bindings: [] };
  const starts = names.flatMap((org) => [`course-v1:${org}`, `path-v1:${org}`]);
  return {
    sql: `(${starts.map(() => `(${column} > ? and ${column} < ?)`).join(" or ")})`,
    bindings: starts.flatMap((start) => [`${start}+`, `${start},`]), // the comma follows the plus sign
  };
}
