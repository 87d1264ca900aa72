/** What words of an institution can name in braces, by the kind of the email, as designs of documents name it. */
export const emailPlaceholders = {
  available: ["platform_name", "credential_type", "context_name"],
  expiry: ["platform_name", "credential_type", "context_name", "last_day"],
  withdrawal: ["platform_name", "credential_type", "context_name", "reason"],
} as const;

/** What the messages of emails name. Those that a kind of email has no value for are empty. */
export interface EmailValues {
  readonly platformName: string;
  readonly credentialType: string;
  readonly learningContextName: string;
  /** Empty without a name that can be said. */
  readonly name: string;
  readonly lastDay: string;
  readonly reason: string;
}

/** The values of emails as institutions name them, in braces. */
export const placeholders: EmailValues = {
  platformName: "{platform_name}",
  credentialType: "{credential_type}",
  learningContextName: "{context_name}",
  lastDay: "{last_day}",
  reason: "{reason}",
  name: "{name}",
};

/** Fills in an institution's text. What no value is named after stays as it is. */
export function fillInPlaceholders(text: string, values: EmailValues): string {
  const names = Object.keys(placeholders) as (keyof EmailValues)[];
  return text.replace(/\{\w+\}/g, (placeholder) => {
    const name = names.find((each) => placeholders[each] === placeholder);
    return name === undefined ? placeholder : values[name];
  });
}
