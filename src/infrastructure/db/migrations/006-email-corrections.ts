import type { Knex } from "knex";
import { createCalledByTables } from "../functions/create-functions.js";

/** Corrections of email addresses by registrars, and the code with which an email server refused an email. */
export async function up(knex: Knex): Promise<void> {
  await createCalledByTables(knex);
  await knex.raw(`
    -- corrected_email is the address that a registrar has entered to replace email; null if there is none.
    -- email_correction_of is the value of email when it was corrected.
    alter table learners
      add column corrected_email text check (length(corrected_email) between 1 and 254),
      add column email_correction_of text,
      add column email_correction_reason text not null default '' check (length(email_correction_reason) <= 255),
      add column email_corrected_by text not null default '',
      add column email_corrected_at timestamptz(3),
      add check ((corrected_email is null) = (email_correction_of is null)
        and (corrected_email is null) = (email_corrected_at is null));
    create index learners_email_corrected on learners (username) where corrected_email is not null;
    create index learners_by_corrected_email on learners ((lower(translate(corrected_email, 'Iİ', 'ii')) collate "C"))
      where corrected_email is not null;
    create trigger drop_email_correction before update on learners for each row
      when (new.email_correction_of is not null
        and (new.is_deleted or new.corrected_email is null or new.corrected_email = new.email))
      execute function drop_email_correction();

    -- The command and the reply codes with which the email server refused the email; empty if it did not. The
    -- server's text is not stored, because it may contain the address.
    alter table credential_mails add column refusal text not null default '' check (length(refusal) <= 200);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger drop_email_correction on learners;
    drop function drop_email_correction();
    alter table learners
      drop column corrected_email, drop column email_correction_of, drop column email_correction_reason,
      drop column email_corrected_by, drop column email_corrected_at;
    alter table credential_mails drop column refusal;
  `);
}
