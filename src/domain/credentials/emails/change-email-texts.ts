import { failedPrecondition, quoted, wrongField } from "#foundation/errors.js";
import { MAX_EMAIL_INTRODUCTION, MAX_EMAIL_LINE } from "#foundation/limits.js";
import { checkText } from "#foundation/text/check-text.js";
import { type Database, inTransaction } from "#infrastructure/db/database.js";
import { emailPlaceholders } from "#infrastructure/email/messages/email-placeholders.js";
import { emailLanguages } from "#infrastructure/email/messages/languages.js";
import { type Expectation, etagOfEmailTexts, refuseOutdated } from "../../configurations/etag.js";
import type { EmailKind } from "./email-store.js";
import { countOthers, type EmailText, lockEmailTexts, putEmailTexts } from "./email-texts.js";

/** Maximum number of organisations with their own texts, because all texts are cached in memory. */
const MAX_ORGANISATIONS = 1000;

export interface OwnEmailTexts {
  readonly organisation: string;
  readonly texts: readonly EmailText[];
}

/**
 * Replaces all email texts of an organisation. Empty texts are not stored.
 * @throws Problem `invalid` naming the field; `aborted` if the etag differs; `failed-precondition` if too many
 * organisations have texts
 */
export function changeEmailTexts(
  database: Database,
  { organisation, texts, etag = "" }: OwnEmailTexts & Expectation,
  signal: AbortSignal,
): Promise<{ readonly before: readonly EmailText[]; readonly after: readonly EmailText[] }> {
  const current = checkEmailTexts(texts);
  return inTransaction(database, signal, async (transaction) => {
    const before = await lockEmailTexts(transaction, organisation);
    const what = `The wording of emails from ${organisation || "the service"}`;
    refuseOutdated(etag, etagOfEmailTexts(organisation, before), what);
    if (current.length > 0 && (await countOthers(transaction, organisation)) >= MAX_ORGANISATIONS)
      throw failedPrecondition(
        `${MAX_ORGANISATIONS} organisations have their own email texts, which is the maximum: remove those of one first.`,
      );
    await putEmailTexts(transaction, organisation, current);
    return { before, after: current };
  });
}

function checkEmailTexts(texts: readonly EmailText[]): EmailText[] {
  const seen = new Set<string>();
  const current = texts.map((text, index) => {
    const at = `email_texts.texts[${index}]`;
    const language = emailLanguages.find(text.language)?.tag;
    if (language === undefined || text.language === "")
      throw wrongField(
        `${at}.language`,
        `is ${quoted(text.language)}; it must be one of ${emailLanguages.all.map(({ tag }) => tag).join(", ")}.`,
      );
    const key = `${text.kind} ${language}`;
    if (seen.has(key)) throw wrongField(at, "repeats the kind and language of an earlier entry.");
    seen.add(key);
    return { ...checkEmailText(text, at), language };
  });
  return current
    .filter(({ subject, heading, introduction }) => `${subject}${heading}${introduction}` !== "")
    .sort((one, other) => (`${one.kind} ${one.language}` < `${other.kind} ${other.language}` ? -1 : 1));
}

/** @throws Problem `invalid` naming the field, for example if emails of this kind don't support a placeholder */
export function checkEmailText(text: EmailText, at: string): EmailText {
  const line = (name: "subject" | "heading") =>
    checkWords(text.kind, `${at}.${name}`, text[name], MAX_EMAIL_LINE);
  const introduction = text.introduction.replaceAll("\r\n", "\n");
  return {
    ...text,
    subject: line("subject"),
    heading: line("heading"),
    introduction: checkWords(text.kind, `${at}.introduction`, introduction, MAX_EMAIL_INTRODUCTION, {
      lines: true,
    }),
  };
}

function checkWords(
  kind: EmailKind,
  field: string,
  text: string,
  max: number,
  lines: { lines?: true } = {},
): string {
  checkText(field, text, { min: 0, max, ...lines });
  const allowed: readonly string[] = emailPlaceholders[kind];
  const [unknown] = (text.match(/\{[^{}]*\}?|\}/g) ?? []).filter(
    (each) => !each.endsWith("}") || !allowed.includes(each.slice(1, -1)),
  );
  if (unknown !== undefined)
    throw wrongField(
      field,
      `contains ${quoted(unknown)}; the placeholders available in these emails are ${allowed.map((name) => `{${name}}`).join(", ")}.`,
    );
  return text.trim();
}
