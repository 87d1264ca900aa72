import { setMaxListeners } from "node:events";
import { createTransport, type NodemailerError, type SendMailOptions } from "nodemailer";
import { createLimiter } from "#foundation/concurrency/limiter.js";
import { Problem } from "#foundation/errors.js";
import type { Delivery } from "./delivery.js";
import { readSmtpFault } from "./smtp-fault.js";
import { smtpOptions } from "./smtp-options.js";

/** Maximum silence of the server. */
const SILENCE_TIMEOUT_MS = 60_000;
/** For one email, from opening a connection until the server's last response. */
const SEND_TIMEOUT_MS = 120_000;
/** More connections of one client are refused by many servers. */
const CONNECTIONS = 5;

/**
 * Creates a delivery through the server at `SMTP_URL`, over a few connections that are kept. Emails that wait for
 * one fail when another email finds the server out of order: each would wait as long in vain.
 */
export function createSmtpDelivery(smtpUrl: string): Delivery {
  const transport = createTransport({
    pool: true,
    maxConnections: CONNECTIONS,
    ...smtpOptions(smtpUrl),
    socketTimeout: SILENCE_TIMEOUT_MS,
  });

  const takeTurn = createLimiter(CONNECTIONS);
  /** Aborts when the server is out of order; emails that come later have another one. */
  let outage = createOutage();

  return {
    deliver(mail: SendMailOptions) {
      return takeTurn(outage.signal, async () => {
        try {
          await transport.sendMail({ ...mail, signal: AbortSignal.timeout(SEND_TIMEOUT_MS) });
          return { outcome: "sent" };
        } catch (error) {
          const { isFinal, isOutage, reason } = readSmtpFault(error as NodemailerError);
          if (isFinal) return { outcome: "refused", reason };
          const problem = new Problem(
            "unavailable",
            "The mail server can't accept email at the moment; try again later.",
            { cause: new Error(reason), ...(isOutage ? { outage: "mail" } : {}) },
          );
          if (isOutage) {
            outage.abort(problem);
            outage = createOutage();
          }
          throw problem;
        }
      });
    },

    async forget() {}, // emails that were sent belong to their recipients

    async close() {
      transport.close({ force: true });
    },
  };
}

/** Any number of emails may wait for a connection, and listen. */
function createOutage(): AbortController {
  const outage = new AbortController();
  setMaxListeners(0, outage.signal);
  return outage;
}
