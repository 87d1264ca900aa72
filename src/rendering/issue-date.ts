import { formatDate, formatDay } from "./format-date.js";
import type { CredentialFacts } from "./generator.js";

/** The date of a credential as it is printed: in the format of the settings, else as the language has it. */
export function issueDateOf({ issueDate, created, settings }: CredentialFacts, language: string): string {
  if (issueDate !== undefined) return issueDate;
  const { dateFormat, timeZone = "UTC" } = settings ?? {};
  const context = { timeZone, locale: language };
  return dateFormat === undefined ? formatDay(created, context) : formatDate(created, dateFormat, context);
}
