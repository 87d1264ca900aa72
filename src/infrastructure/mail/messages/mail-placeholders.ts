/** What words of an institution can name in braces, by the kind of the mail, as designs of documents name it. */
export const mailPlaceholders = {
  available: ["platform_name", "credential_type", "context_name"],
  expiry: ["platform_name", "credential_type", "context_name", "last_day"],
  withdrawal: ["platform_name", "credential_type", "context_name", "reason"],
} as const;

/** As the words of the service name them. */
const inOurs: Readonly<Record<string, string>> = {
  platform_name: "platformName",
  credential_type: "credentialType",
  context_name: "learningContextName",
  last_day: "lastDay",
};

/** Returns words of an institution with the placeholders of the service. */
export function withOurPlaceholders(text: string): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => `{${inOurs[name] ?? name}}`);
}

/** Returns words of the service with the placeholders that institutions write. */
export function withTheirPlaceholders(text: string): string {
  return text.replace(
    /\{(\w+)\}/g,
    (_, name: string) => `{${Object.keys(inOurs).find((key) => inOurs[key] === name) ?? name}}`,
  );
}
