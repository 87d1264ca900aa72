import { type ConnectorSettings, fits } from "../driver/connector-settings.js";

export function createInclusion(
  { courses }: Pick<ConnectorSettings, "courses">,
  configured: readonly string[],
) {
  let keys = new Set(configured);
  return {
    holds(key: string): boolean {
      if (key === "") return true;
      if (courses.only_configured && !keys.has(key)) return false;
      return (
        courses.include.some((pattern) => fits(key, pattern)) &&
        !courses.exclude.some((pattern) => fits(key, pattern))
      );
    },
    set(now: readonly string[]) {
      keys = new Set(now);
    },
  };
}

/** Explains to operators why a sweep has not read any course or path. */
export function explainEmptySweep(
  { courses }: Pick<ConnectorSettings, "courses">,
  listed: readonly string[],
): string {
  const isIncluded = createInclusion({ courses }, listed).holds;
  const included = listed.filter(isIncluded);
  const example = included[0] ?? listed[0];
  if (example === undefined) return "Nothing was read: the platform lists no courses for this account.";
  if (included.length === 0)
    return `Nothing was read: courses.include and courses.exclude leave out all ${listed.length} courses of the platform, such as ${example}.`;
  return (
    `Nothing was read: none of the ${included.length} courses has a configured credential, such as ${example}. ` +
    "Configure a credential for one, or set courses.only_configured to false."
  );
}
