/** What a text may refer to, by the name in its braces. */
export const placeholderNames = [
  "name",
  "context_name",
  "issue_date",
  "verify_uuid",
  "verify_url",
  "credential_type",
  "platform_name",
] as const;

export type PlaceholderName = (typeof placeholderNames)[number];
export type PlaceholderValues = Readonly<Record<PlaceholderName, string>>;

const token = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g;

/** What is wrong with a text with placeholders; undefined when nothing is. */
export function placeholderProblem(template: string): string | undefined {
  for (const [found, name] of template.matchAll(token)) {
    if (found === "{{" || found === "}}" || isPlaceholder(name)) continue;
    const known = placeholderNames.map((each) => `{${each}}`).join(" ");
    if (name === undefined) return `a single "${found}" must be doubled; placeholders are ${known}`;
    return `unknown placeholder "${found}"; known are ${known}, and {{ and }} for braces`;
  }
  return undefined;
}

/** The text with its placeholders filled in. It must have no problem. */
export function fillPlaceholders(template: string, values: PlaceholderValues): string {
  return template.replace(token, (found, name: string | undefined) => {
    if (isPlaceholder(name)) return values[name];
    return found.charAt(0);
  });
}

function isPlaceholder(name: string | undefined): name is PlaceholderName {
  return placeholderNames.some((known) => known === name);
}
