import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";
import { gradeIn, numberIn, partialGradeIn, percentageIn } from "#foundation/text/printed-numbers.js";
import { type CredentialFacts, editionOf } from "../generator.js";
import { formatDate, formatLongDay } from "./format-date.js";
import { type Phrases, phrasesOf, type SecondName } from "./phrases.js";
import type { FactName, Placeholder, WordsOf } from "./placeholders.js";

/** Returns the values of placeholders in a language. Formats a value only when a text uses it. */
export function printedValues(facts: CredentialFacts, language: string, phrases: Phrases = {}): WordsOf {
  const { particulars = {} } = facts;
  const values: Record<FactName, () => string> = {
    name: () => facts.userFullName,
    context_name: () => facts.learningContextName,
    category: () => particulars.category ?? phrases.words?.[facts.isPath ? "learningPath" : "course"] ?? "",
    issue_date: () => issueDateOf(facts, language),
    award_date: () => awardDateOf(facts, language),
    valid_until: () => (facts.lastValid ? dayOf(facts.lastValid, facts, language) : ""),
    verify_uuid: () => facts.verifyUuid,
    verify_url: () => facts.verifyUrl,
    verify_short_url: () => facts.verifyShortUrl ?? facts.verifyUrl,
    credential_type: () => facts.credentialType,
    title: () => phrases.title ?? facts.credentialType,
    platform_name: () => facts.platformName,
    issuer_name: () => phrases.issuer?.name ?? facts.platformName,
    issuer_contact: () => addressIn(phrases.issuer?.contact),
    issuer_imprint: () => addressIn(phrases.issuer?.imprint),
    grade: () =>
      (phrases.words && gradeIn(particulars, phrases.words, language)) ??
      printed(particulars.grade, language, percentageIn),
    letter_grade: () => particulars.letter ?? "",
    passed: () => verdictIn(particulars.passed, phrases.words),
    completion: () => printed(particulars.completion, language, percentageIn),
    steps: () => printed(particulars.steps, language, numberIn),
    hours: () => printed(particulars.hours, language, numberIn),
    credits: () => particulars.credits ?? "",
    learner_id: () => particulars.learner_id ?? "",
    signatory_name: () => particulars.signatory?.name ?? "",
    signatory_title: () => particulars.signatory?.title ?? "",
  };
  function secondWords(key: SecondName): string {
    const { second } = phrases;
    if (!second) return "";
    if (key === "title") return second.title ?? "";
    if (key === "issue_date") return dayOf(facts.created, facts, second.words.tag);
    return second.words[phrasesOf[key]];
  }
  return (placeholder) => {
    if (placeholder.kind === "fact") return values[placeholder.name]();
    if (placeholder.kind === "words") return phrases.words?.[phrasesOf[placeholder.key]] ?? "";
    if (placeholder.kind === "second") return secondWords(placeholder.key);
    if (placeholder.kind === "grade")
      return printed(ownProperty(particulars.grades, placeholder.key), language, (grade) =>
        partialGradeIn(grade, particulars.scale, language),
      );
    return ownProperty(particulars[placeholder.kind], placeholder.key) ?? "";
  };
}

/** Returns the value of a listed fact. Omits an award date that equals the issue date. */
export function listedValue(placeholder: Placeholder, wordsOf: WordsOf): string {
  const value = wordsOf(placeholder);
  const isAward = placeholder.kind === "fact" && placeholder.name === "award_date";
  return isAward && value === wordsOf({ kind: "fact", name: "issue_date" }) ? "" : value;
}

function issueDateOf(facts: CredentialFacts, language: string): string {
  return facts.issueDate ?? dayOf(facts.created, facts, language);
}

/**
 * Cache, because formatting a day takes an eighth of the time for rendering, and credentials issued together share
 * their days.
 */
const days = createBoundedCache<string>(100);

/** Formats a day by the date format of the settings, or the language's own format. */
function dayOf(day: Date, { settings }: CredentialFacts, locale: string): string {
  const { dateFormat, timeZone = "UTC" } = settings ?? {};
  const edition = editionOf(settings);
  return days(JSON.stringify([day, dateFormat, timeZone, locale, edition]), () =>
    dateFormat === undefined
      ? formatLongDay(day, { timeZone, locale })
      : formatDate(day, dateFormat, { timeZone, locale, edition }),
  );
}

function awardDateOf(facts: CredentialFacts, language: string): string {
  return facts.awarded ? dayOf(facts.awarded, facts, language) : issueDateOf(facts, language);
}

/** Removes the parts of a URL that browsers add and people don't type. */
function addressIn(address = ""): string {
  return address.replace(/^https:\/\//i, "").replace(/\/$/, "");
}

function printed(
  number: number | undefined,
  language: string,
  format: (number: number, language: string) => string,
): string {
  return number === undefined ? "" : format(number, language);
}

function verdictIn(passed: boolean | undefined, words: Phrases["words"]): string {
  if (passed === undefined || !words) return "";
  return passed ? words.passed : words.notPassed;
}

/** Reads only own properties, because a key may be `constructor`. */
function ownProperty<T>(values: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return values && Object.hasOwn(values, key) ? values[key] : undefined;
}
