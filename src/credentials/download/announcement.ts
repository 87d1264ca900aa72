import type { Database } from "../../db/database.js";
import { inOneStatement } from "../../db/transaction.js";
import { findRecipients, type Recipient } from "../../learners/recipient.js";
import type { Credential } from "../credential.js";
import { findCredentials } from "../credential-store.js";
import { inGroups } from "../in-groups.js";
import { type Answered, type CredentialMail, findMails, recordAnswers } from "./mail-store.js";

/** What a mail about a credential needs. */
export interface Announcement {
  readonly credential: Credential;
  /** As `findMail` returns it. */
  readonly mail: CredentialMail | undefined;
  /** As `findRecipient` returns it. */
  readonly recipient: Recipient | undefined;
}

/** Creates the function that looks up an announcement. It returns undefined if there is no such credential. */
export function createLookingUp({
  knex,
}: Database): (credentialUuid: string) => Promise<Announcement | undefined> {
  return inGroups<string, Announcement>(async (uuids) => {
    const [credentials, mails] = await Promise.all([findCredentials(knex, uuids), findMails(knex, uuids)]);
    const usernames = credentials.map(({ username }) => username);
    const recipients = await findRecipients(knex, usernames);
    const mailsByUuid = new Map(mails.map((mail) => [mail.credentialUuid, mail]));
    const found = new Map(
      credentials.map((credential) => [
        credential.uuid,
        {
          credential,
          mail: mailsByUuid.get(credential.uuid),
          recipient: recipients.get(credential.username),
        },
      ]),
    );
    return uuids.map((uuid) => found.get(uuid));
  });
}

/**
 * Creates the function that records an answer. While the mail was being sent, the credential may have been
 * invalidated, or another worker may have sent the same mail. The function returns whether the learner was
 * erased meanwhile; undefined if the credential no longer exists.
 */
export function createRecording(
  database: Database,
): (answered: Answered) => Promise<{ readonly isErased: boolean } | undefined> {
  return inGroups<Answered, { isErased: boolean }>(async (all, locked) => {
    const answers = new Map(all.map((answered) => [answered.credentialUuid, answered]));
    const recorded = await inOneStatement(database, (knex) =>
      recordAnswers(knex, [...answers.values()], locked),
    );
    const found = new Map(recorded.map(({ uuid, isErased }) => [uuid, { isErased }]));
    return all.map((answered) => {
      const { credentialUuid } = answered;
      const isThis = answers.get(credentialUuid) === answered; // of two mails about it, the other one is recorded alone
      return isThis ? found.get(credentialUuid) : undefined;
    });
  });
}
