import { setMaxListeners } from "node:events";
import { createTransport, type NodemailerError, type SendMailOptions } from "nodemailer";
import { createLimiter } from "#foundation/concurrency/limiter.js";
import { Problem } from "#foundation/errors.js";
import type { Guard } from "../outbound/guard.js";
import type { Delivery } from "./delivery.js";
import { readSmtpFault } from "./smtp-fault.js";
import { transportOptions } from "./smtp-options.js";
import type { SmtpServer } from "./smtp-url.js";

/** Maximum time without a response from the server. */
const SILENCE_TIMEOUT_MS = 60_000;
/** Time limit for one email, from opening a connection until the server's last response. */
const SEND_TIMEOUT_MS = 120_000;
/** Maximum number of connections. Many servers reject more connections from the same client. */
const MAX_CONNECTIONS = 5;

/**
 * Sends emails through a server, over a few connections that are kept open. If the server is unavailable for one email,
 * the emails that wait for a connection fail, too, because each of them would only wait for the same error.
 */
export function createSmtpDelivery(server: SmtpServer, guard?: Guard): Delivery {
  const transport = createTransport({
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    ...transportOptions(server, guard),
    socketTimeout: SILENCE_TIMEOUT_MS,
  });

  const takeTurn = createLimiter(MAX_CONNECTIONS);
  /** Aborts when the server is unavailable, and is then replaced for later emails. */
  let outage = createOutage();

  return {
    deliver(email: SendMailOptions) {
      return takeTurn(outage.signal, async () => {
        try {
          await transport.sendMail({ ...email, signal: AbortSignal.timeout(SEND_TIMEOUT_MS) });
          return { outcome: "sent" };
        } catch (error) {
          const { isFinal, isOutage, reason } = readSmtpFault(error as NodemailerError);
          if (isFinal) return { outcome: "refused", reason };
          const problem = new Problem(
            "unavailable",
            "The email server can't accept email at the moment; try again later.",
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

    close({ isForced }) {
      transport.close({ force: isForced });
    },
  };
}

function createOutage(): AbortController {
  const outage = new AbortController();
  setMaxListeners(0, outage.signal);
  return outage;
}
