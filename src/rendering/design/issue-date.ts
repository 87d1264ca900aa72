import type { CredentialFacts } from "../generator.js";
import { formatDate, formatDay } from "./format-date.js";

/** The date of a credential as it is printed. */
export function issueDateOf(facts: CredentialFacts, language: string): string {
  return facts.issueDate ?? dayOf(facts.created, facts, language);
}

/** A day as a credential prints it: in the format of the settings, else as the language has it. */
export function dayOf(day: Date, { settings }: CredentialFacts, language: string): string {
  const { dateFormat, timeZone = "UTC" } = settings ?? {};
  const context = { timeZone, locale: language };
  return dateFormat === undefined ? formatDay(day, context) : formatDate(day, dateFormat, context);
}
