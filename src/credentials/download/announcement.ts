import type { Database } from "../../db/database.js";
import { inTransaction, NOBODY_LEAVES } from "../../db/transaction.js";
import { WORKER } from "../../identity/actors.js";
import { findRecipients, type Recipient } from "../../learners/recipient.js";
import type { Outcome } from "../../mail/delivery.js";
import type { Credential } from "../credential.js";
import { findCredentials, lockCredentials, setEmailed } from "../credential-store.js";
import { appendEvents } from "../events/append-events.js";
import { inGroups } from "../in-groups.js";
import { type CredentialMail, findMails, settleMails } from "./mail-store.js";

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

/** How the mail about a credential was answered. */
export interface Answered {
  readonly credentialUuid: string;
  readonly outcome: Outcome["outcome"];
}

/**
 * Creates the function that records an answer. While the mail was being sent, the credential may have been
 * invalidated, or another worker may have sent the same mail. The function returns whether the learner was
 * erased meanwhile; undefined if the credential no longer exists.
 */
export function createRecording(
  database: Database,
): (answered: Answered) => Promise<{ readonly isErased: boolean } | undefined> {
  return inGroups<Answered, { isErased: boolean }>((all, lockedByOthers) =>
    inTransaction(database, NOBODY_LEAVES, async (transaction) => {
      const answers = new Map(all.map((answered) => [answered.credentialUuid, answered]));
      const locked = await lockCredentials(transaction, [...answers.keys()], lockedByOthers);
      const isErased = new Map(locked.map(({ uuid, erasedAt }) => [uuid, erasedAt !== null]));
      const settled = await settleMails(
        transaction,
        [...answers.values()]
          .filter(({ credentialUuid }) => isErased.has(credentialUuid))
          .map(({ credentialUuid, outcome }) => ({ credentialUuid, state: outcome })),
      );
      const told = locked.filter(({ uuid }) => settled.has(uuid));
      const isSent = ({ uuid }: { uuid: string }) => answers.get(uuid)?.outcome === "sent";
      await setEmailed(
        transaction,
        told.filter(isSent).map(({ uuid }) => uuid),
      );
      for (const status of new Set(told.map((credential) => credential.status))) {
        const alike = told.filter((credential) => credential.status === status);
        const same = { actor: WORKER, before: status, after: status };
        await appendEvents(transaction, { type: "emailed", ...same }, alike.filter(isSent));
        await appendEvents(
          transaction,
          { type: "email_refused", ...same },
          alike.filter((credential) => !isSent(credential)),
        );
      }
      return all.map((answered) => {
        const { credentialUuid } = answered;
        const erased = isErased.get(credentialUuid);
        const isThis = answers.get(credentialUuid) === answered; // of two mails about it, the other one is recorded alone
        return erased === undefined || !isThis ? undefined : { isErased: erased };
      });
    }),
  );
}
