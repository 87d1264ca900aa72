import type { Query } from "#infrastructure/db/database.js";

/** The organisations whose courses and paths a caller may access; undefined for all organisations. */
export type Organisations = readonly string[] | undefined;

/** Returns the `org` of a well-formed key. */
export function organisationOf(learningContextKey: string): string {
  const [before = ""] = learningContextKey.split("+", 1);
  return before.slice(before.indexOf(":") + 1);
}

export function isWithin(organisations: Organisations, learningContextKey: string): boolean {
  return organisations === undefined || organisations.includes(organisationOf(learningContextKey));
}

/** SQL: the organisation of the key in a column. Indexes contain this exact expression. */
export function organisationIn(column: string): string {
  return `split_part(substr(${column}, strpos(${column}, ':') + 1), '+', 1)`;
}

/**
 * SQL: whether the key in a column belongs to one of the organisations.
 * @param mark the parameter with the organisations; not used if `organisations` is undefined
 */
export function withinSql(
  column: string,
  organisations: Organisations,
  mark: "?" | ":organisations",
): string {
  return organisations === undefined ? "true" : `${organisationIn(column)} = any (cast(${mark} as text[]))`;
}

/** Like `withinSql`, for columns with an index in byte order, in which the keys of an organisation are a range. */
export function withinRanges(column: string, organisations: Organisations): Query {
  if (organisations === undefined) return { sql: "true", bindings: [] };
  const names = organisations.filter((org) => !org.includes("+")); // no organisation has a plus sign
  if (names.length === 0) return { sql: "false", bindings: [] };
  const starts = names.flatMap((org) => [`course-v1:${org}`, `path-v1:${org}`]);
  return {
    sql: `(${starts.map(() => `(${column} > ? and ${column} < ?)`).join(" or ")})`,
    bindings: starts.flatMap((start) => [`${start}+`, `${start},`]), // in byte order, the comma follows the plus sign
  };
}
