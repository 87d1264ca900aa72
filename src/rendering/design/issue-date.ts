import type { CredentialFacts } from "../generator.js";
import { formatDate, formatDay } from "./format-date.js";

/** Formats the date of issue as the credential prints it. */
export function issueDateOf(facts: CredentialFacts, language: string): string {
  return facts.issueDate ?? dayOf(facts.created, facts, language);
}

/** Formats a day as a credential prints it: in the settings' date format, or else in the language's own. */
export function dayOf(day: Date, { settings }: CredentialFacts, language: string): string {
  const { dateFormat, timeZone = "UTC" } = settings ?? {};
  const context = { timeZone, locale: language };
  return dateFormat === undefined ? formatDay(day, context) : formatDate(day, dateFormat, context);
}
