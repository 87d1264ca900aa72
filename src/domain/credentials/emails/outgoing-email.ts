import type { Database } from "#infrastructure/db/database.js";
import { inOneStatement } from "#infrastructure/db/transaction.js";
import { findRecipients, type Recipient } from "../../learners/recipient.js";
import type { Credential } from "../credential.js";
import { findCredentials } from "../credential-store.js";
import { inGroups } from "../in-groups.js";
import { type Answered, type CredentialEmail, findEmails, recordAnswers } from "./email-store.js";

/** An email with everything that is needed to send it. */
export interface OutgoingEmail {
  readonly credential: Credential;
  readonly mail: CredentialEmail;
  /** undefined if nobody should get the email */
  readonly recipient: Recipient | undefined;
}

/** Creates the function that looks up an email by its id. It returns undefined if there is none. */
export function createLookingUp({ knex }: Database): (mailId: number) => Promise<OutgoingEmail | undefined> {
  return inGroups<number, OutgoingEmail>(async (ids) => {
    const emails = new Map((await findEmails(knex, ids)).map((mail) => [mail.id, mail]));
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
      const mail = emails.get(id);
      const credential = mail && credentialsByUuid.get(mail.credentialUuid);
      return credential && { credential, mail, recipient: recipients.get(credential.username) };
    });
  });
}

/**
 * Creates the function that records an answer. While the email was being sent, the credential may have been
 * invalidated, or another worker may have sent the same mail. The function returns whether the learner was
 * erased meanwhile.
 */
export function createRecording(
  database: Database,
): (answered: Answered) => Promise<{ readonly isErased: boolean } | undefined> {
  return inGroups<Answered, { isErased: boolean }>(async (answers, locked) => {
    const recorded = await inOneStatement(database, (knex) => recordAnswers(knex, answers, locked));
    const found = new Map(recorded.map(({ id, isErased }) => [id, { isErased }]));
    return answers.map(({ mail }) => found.get(mail.id));
  });
}
