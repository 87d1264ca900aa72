import { verifyEventChain } from "../credentials/events/verify-event-chain.js";
import type { DoctorParts } from "./doctor-parts.js";
import type { Finding } from "./finding.js";

/** Those that are younger may be about to be sealed; a sealer has something to do every half second. */
const AGE = "5 minutes";

/** Whether the chain of events is whole, and takes in what has happened. */
export async function* checkEvents({ database }: DoctorParts, signal: AbortSignal): AsyncGenerator<Finding> {
  const { broken } = await verifyEventChain(database, signal);
  if (broken) yield { kind: "broken-event-chain", detail: `position ${broken.position}: ${broken.reason}` };

  const { rows } = await database.knex.raw(
    `select count(*) as count from unsealed_credential_events where occurred_at < now() - interval '${AGE}'`,
  );
  const [{ count }] = rows;
  if (count > 0) yield { kind: "unsealed-events", detail: `${count} are older than ${AGE}` };
}
