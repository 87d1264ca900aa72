import { type Database, inOneStatement } from "#infrastructure/db/database.js";
import { findRecipients, type Recipient } from "../../learners/recipient.js";
import type { Credential } from "../credential.js";
import { findCredentials } from "../credential-store.js";
import { inGroups } from "../in-groups.js";
import { type CredentialEmail, type EmailOutcome, findEmails, recordAnswers } from "./email-store.js";

interface OutgoingEmail {
  readonly credential: Credential;
  readonly email: CredentialEmail;
  /** Undefined if nobody should get the email. */
  readonly recipient: Recipient | undefined;
}

export function createLookingUp({ knex }: Database): (mailId: number) => Promise<OutgoingEmail | undefined> {
  return inGroups<number, OutgoingEmail>(async (ids) => {
    const emails = new Map((await findEmails(knex, ids)).map((email) => [email.id, email]));
    const credentials = await findCredentials(
      knex,
      [...emails.values()].map(({ credentialUuid }) => credentialUuid),
    );
    const recipients = await findRecipients(
      knex,
      credentials.map(({ username }) => username),
    );
    const credentialsByUuid = new Map(credentials.map((credential) => [credential.uuid, credential]));
    return ids.map((id) => {
      const email = emails.get(id);
      const credential = email && credentialsByUuid.get(email.credentialUuid);
      return credential && { credential, email, recipient: recipients.get(credential.username) };
    });
  });
}

/**
 * Creates the function that records whether the email server accepted a pending email. The function returns whether the
 * learner was erased while the email was being sent.
 */
export function createRecording(
  database: Database,
): (outcome: EmailOutcome) => Promise<{ readonly isErased: boolean } | undefined> {
  return inGroups<EmailOutcome, { isErased: boolean }>(async (answers, locked) => {
    const recorded = await inOneStatement(database, (knex) => recordAnswers(knex, answers, locked));
    const found = new Map(recorded.map(({ id, isErased }) => [id, { isErased }]));
    return answers.map(({ email }) => found.get(email.id));
  });
}
