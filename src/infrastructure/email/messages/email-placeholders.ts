import { fullStopAfter } from "#foundation/languages/message.js";

/** Placeholders in institutions' own texts. They have the same names in designs of documents. */
export const emailPlaceholders = {
  available: ["platform_name", "credential_type", "context_name"],
  expiry: ["platform_name", "credential_type", "context_name", "last_day"],
  withdrawal: ["platform_name", "credential_type", "context_name", "reason"],
} as const;

/** Values for texts of emails. A value is empty if this kind of email does not have it. */
export interface EmailValues {
  readonly platformName: string;
  readonly credentialType: string;
  readonly learningContextName: string;
  /** Empty if the name can't be used in a greeting. */
  readonly name: string;
  readonly lastDay: string;
  readonly reason: string;
}

export const emailPlaceholderValues: EmailValues = {
  platformName: "{platform_name}",
  credentialType: "{credential_type}",
  learningContextName: "{context_name}",
  lastDay: "{last_day}",
  reason: "{reason}",
  name: "",
};

/** Unknown placeholders are kept. */
export function fillInPlaceholders(text: string, values: EmailValues): string {
  const names = Object.keys(emailPlaceholderValues) as (keyof EmailValues)[];
  return text.replace(/(\{\w+\})(\.?)/g, (found, placeholder: string, stop: string) => {
    const name = names.find((each) => emailPlaceholderValues[each] === placeholder);
    return name === undefined ? found : values[name] + (stop && fullStopAfter(values[name]));
  });
}
