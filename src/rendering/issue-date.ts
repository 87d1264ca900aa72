import { formatDate } from "./format-date.js";
import type { CredentialFacts } from "./generator.js";

/** The date of a credential as it is printed, in a language. */
export function issueDateOf({ issueDate, created, settings }: CredentialFacts, language: string): string {
  if (issueDate !== undefined) return issueDate;
  const { dateFormat = "%B %-d, %Y", timeZone = "UTC" } = settings ?? {};
  return formatDate(created, dateFormat, { timeZone, locale: language });
}
