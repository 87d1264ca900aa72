import { setMaxListeners } from "node:events";
import { createTransport, type NodemailerError, type SendMailOptions } from "nodemailer";
import { createLimiter } from "#foundation/concurrency/limiter.js";
import { Problem } from "#foundation/errors.js";
import type { Delivery } from "./delivery.js";
import { readSmtpFault } from "./smtp-fault.js";
import { smtpOptions } from "./smtp-options.js";

/** Maximum time without a response of the server. */
const SILENCE_TIMEOUT_MS = 60_000;
/** Time limit for one email, from opening a connection until the server's last response. */
const SEND_TIMEOUT_MS = 120_000;
/** Many servers refuse more connections from one client. */
const CONNECTIONS = 5;

/**
 * Creates a delivery through the server at `SMTP_URL`, over a few connections that are kept open. When an email finds
 * the server unavailable, emails that wait for a connection fail, too, because each would only wait for the same error.
 */
export function createSmtpDelivery(smtpUrl: string): Delivery {
  const transport = createTransport({
    pool: true,
    maxConnections: CONNECTIONS,
    ...smtpOptions(smtpUrl),
    socketTimeout: SILENCE_TIMEOUT_MS,
  });

  const takeTurn = createLimiter(CONNECTIONS);
  /** Aborts when the server is unavailable, and is then replaced for later emails. */
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

    async forget() {}, // sent emails can't be removed

    async close() {
      transport.close({ force: true });
    },
  };
}

/** Creates an outage signal. Any number of waiting emails may listen to it. */
function createOutage(): AbortController {
  const outage = new AbortController();
  setMaxListeners(0, outage.signal);
  return outage;
}
