/**
 * The placeholders, in braces, that institutions can use in emails of each kind. They have the same names in designs of
 * documents.
 */
export const emailPlaceholders = {
  available: ["platform_name", "credential_type", "context_name"],
  expiry: ["platform_name", "credential_type", "context_name", "last_day"],
  withdrawal: ["platform_name", "credential_type", "context_name", "reason"],
} as const;

/** The values for the texts of emails. Values that a kind of email does not have are empty. */
export interface EmailValues {
  readonly platformName: string;
  readonly credentialType: string;
  readonly learningContextName: string;
  /** Empty if the name can't be used in a greeting. */
  readonly name: string;
  readonly lastDay: string;
  readonly reason: string;
}

/** The placeholders of institutions, for each value. */
export const placeholders: EmailValues = {
  platformName: "{platform_name}",
  credentialType: "{credential_type}",
  learningContextName: "{context_name}",
  lastDay: "{last_day}",
  reason: "{reason}",
  name: "{name}",
};

/** Fills in an institution's text. Unknown placeholders are kept. */
export function fillInPlaceholders(text: string, values: EmailValues): string {
  const names = Object.keys(placeholders) as (keyof EmailValues)[];
  return text.replace(/\{\w+\}/g, (placeholder) => {
    const name = names.find((each) => placeholders[each] === placeholder);
    return name === undefined ? placeholder : values[name];
  });
}
