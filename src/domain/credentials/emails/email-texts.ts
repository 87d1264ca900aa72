import { execute, type Knex, queryRows, queryValue } from "#infrastructure/db/query.js";
import type { EmailTexts } from "#infrastructure/email/messages/compose-message.js";
import type { EmailKind } from "./email-store.js";

/** An organisation's own text for one kind of email, in one language. */
export interface EmailText extends EmailTexts {
  readonly kind: EmailKind;
  readonly language: string;
}

const columns = "kind, language, subject, heading, introduction";

/**
 * The email texts cached in this process. They are at most a few seconds old, and available without
 * the database.
 */
export interface KnownEmailTexts {
  /**
   * Returns an organisation's texts, or the service's texts where the organisation has none. Where a text is empty, the
   * email uses the built-in text.
   */
  of(organisation: string, kind: EmailKind, language: string): EmailTexts;
  refresh(): Promise<void>;
}

const none: EmailTexts = { subject: "", heading: "", introduction: "" };

export function createEmailTexts(db: Knex): KnownEmailTexts {
  let texts: ReadonlyMap<string, EmailTexts> = new Map();
  const keyOf = (organisation: string, kind: EmailKind, language: string) =>
    JSON.stringify([organisation, kind, language]);
  return {
    of(organisation, kind, language) {
      const own = texts.get(keyOf(organisation, kind, language)) ?? none;
      const shared = texts.get(keyOf("", kind, language)) ?? none;
      return {
        subject: own.subject || shared.subject,
        heading: own.heading || shared.heading,
        introduction: own.introduction || shared.introduction,
      };
    },

    async refresh() {
      const rows = await queryRows<EmailText & { organisation: string }>(
        db,
        `select organisation, ${columns} from mail_texts`,
      );
      texts = new Map(rows.map((row) => [keyOf(row.organisation, row.kind, row.language), row]));
    },
  };
}

/** Reads an organisation's own texts, always in the same order. */
export async function readEmailTexts(db: Knex, organisation: string): Promise<EmailText[]> {
  return queryRows<EmailText>(
    db,
    `select ${columns} from mail_texts where organisation = ? order by kind, language`,
    [organisation],
  );
}

/** Returns an organisation's texts, and locks the texts of all organisations until the transaction ends. */
export async function lockEmailTexts(db: Knex.Transaction, organisation: string): Promise<EmailText[]> {
  await execute(db, "lock table mail_texts in share row exclusive mode"); // locks the table, because the rows may not exist yet
  return readEmailTexts(db, organisation);
}

export async function putEmailTexts(
  db: Knex.Transaction,
  organisation: string,
  texts: readonly EmailText[],
): Promise<void> {
  await execute(db, "delete from mail_texts where organisation = ?", [organisation]);
  await execute(
    db,
    `insert into mail_texts (organisation, ${columns})
     select ?, ${columns} from jsonb_to_recordset(?::jsonb)
       as given (kind text, language text, subject text, heading text, introduction text)`,
    [organisation, JSON.stringify(texts)],
  );
}

/** Counts the other organisations that have their own texts. */
export async function countOthers(db: Knex, organisation: string): Promise<number> {
  return queryValue<number>(
    db,
    "select count(distinct organisation) as count from mail_texts where organisation <> ?",
    [organisation],
  );
}
