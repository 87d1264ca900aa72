import { failedPrecondition, Problem } from "#foundation/errors.js";
import { type Database, inTransaction } from "#infrastructure/db/database.js";
import { enqueueJobs } from "#infrastructure/jobs/enqueue.js";
import { findRecipients } from "../../learners/recipient.js";
import { lockCredentialOrThrow, wrongStatus } from "../get-credential.js";
import { type CredentialEmail, findAvailableEmail, noteResent } from "./email-store.js";

/** Maximum number of resent emails per credential in 24 hours, so that nobody can flood a mailbox. */
const DAILY_LIMIT = 5;

/**
 * Queues the email about an available credential again, for the learner's current address. An email that is still
 * waiting is not queued twice.
 * @throws Problem `not-found`; `failed-precondition` if the credential isn't available or has expired, or the learner has
 * no address; `resource-exhausted` if the email was resent too often
 */
export function resendEmail(database: Database, uuid: string, signal: AbortSignal): Promise<CredentialEmail> {
  return inTransaction(database, signal, async (transaction) => {
    const credential = await lockCredentialOrThrow(transaction, uuid);
    const { status, username, erasedAt, isExpired } = credential;
    if (erasedAt !== null) {
      throw failedPrecondition("The learner was erased, so there is no email address.", {
        reason: "LEARNER_ERASED",
      });
    }
    if (status !== "available")
      throw wrongStatus(status, "only emails about available credentials can be resent");
    if (isExpired)
      throw failedPrecondition(
        "The credential has expired: only emails about valid credentials can be resent.",
        { reason: "EXPIRED" },
      );
    const email = await findAvailableEmail(transaction, credential.uuid);
    if (email?.state === "waiting") return email;
    if (!(await findRecipients(transaction, [username])).has(username)) {
      throw failedPrecondition(
        `Learner ${username} has no email address, or an account that is not active: correct the address, or send a new record.`,
        { reason: "NO_ADDRESS", facts: { username } },
      );
    }
    const mailId = await noteResent(transaction, credential.uuid, DAILY_LIMIT);
    if (mailId === undefined) {
      throw new Problem(
        "resource-exhausted",
        `This email was already resent ${DAILY_LIMIT} times within 24 hours: try again later.`,
      );
    }
    await enqueueJobs(transaction, [
      { task: "send_mail", payload: { credentialUuid: credential.uuid, mailId } },
    ]);
    const queued = await findAvailableEmail(transaction, credential.uuid);
    if (!queued) throw new Error(`the queued email of ${credential.uuid} is missing`);
    return queued;
  });
}
