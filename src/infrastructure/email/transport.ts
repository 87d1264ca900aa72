import type { Logger } from "pino";
import { Problem } from "#foundation/errors.js";
import type { Guard } from "../outbound/guard.js";
import { composeMime, type Email } from "./compose-mime.js";
import type { Delivery, DeliveryOutcome } from "./delivery.js";
import { createFileDelivery, removeSavedEmails } from "./file-delivery.js";
import { domainOf, isPlainAddress, type Mailbox } from "./mailbox.js";
import { createSmtpDelivery } from "./smtp-delivery.js";
import type { SmtpServer } from "./smtp-url.js";

/** How emails are sent. */
export interface EmailSetting {
  /** undefined if emails are saved in a directory. */
  readonly server: SmtpServer | undefined;
  /** The sender that recipients see, and that receives bounces. */
  readonly from: Mailbox;
  /**
   * Decides which addresses are allowed. If undefined, all are allowed, because the server comes from the environment.
   */
  readonly guard?: Guard | undefined;
}

export interface Mailer {
  /**
   * Sends an email to its single recipient. The email may be sent again if the process stops after the server's
   * response, before the caller has recorded it. Both emails have the same Message-ID, which makes the duplicate
   * recognisable.
   * @throws Problem `unavailable` if the email may be sent later
   */
  send(email: Email): Promise<DeliveryOutcome>;
  /**
   * The domain of the sender's address, for Message-IDs.
   * @throws Problem `unavailable` as long as the saved setting can't be used
   */
  domain(): Promise<string>;
  /** Removes stored copies of the email about a credential. */
  forget(credentialUuid: string): Promise<void>;
  /** Drops emails that are being sent. Their `send` throws `unavailable`. */
  close(): Promise<void>;
}

/** Sends emails according to one setting. */
interface Route {
  readonly setting: EmailSetting;
  readonly delivery: Delivery;
  /** Number of emails being sent. */
  busy: number;
}

/**
 * Creates the mailer.
 * @param options.setting returns the current setting. It is the same object until the setting changes
 * @param options.directory for emails that are saved because there is no server
 */
export function createMailer(options: {
  setting: () => Promise<EmailSetting>;
  directory: string;
  log: Logger;
}): Mailer {
  const { directory, log } = options;
  let current: Route | undefined;
  let isClosed = false;
  /** The current route, and replaced routes that are still sending emails. */
  const routes = new Set<Route>();

  function routeFor(setting: EmailSetting): Route {
    if (current?.setting === setting) return current;
    const { server, guard } = setting;
    const delivery = server ? createSmtpDelivery(server, guard) : createFileDelivery(directory);
    const replaced = current;
    current = { setting, delivery, busy: 0 };
    routes.add(current);
    if (replaced) closeUnused(replaced);
    if (isClosed) delivery.close({ isForced: true });
    return current;
  }

  function closeUnused(route: Route): void {
    if (route === current || route.busy > 0) return;
    routes.delete(route);
    route.delivery.close({ isForced: false });
  }

  const currentSetting = () => options.setting().catch(waitForSetting);

  async function deliver(email: Email): Promise<DeliveryOutcome> {
    const setting = await currentSetting();
    const composed = composeMime(email, setting.from);
    if (!isPlainAddress(email.to.address))
      return { outcome: "refused", reason: "the address is not one plain mailbox" };
    const route = routeFor(setting);
    route.busy++;
    try {
      return await route.delivery.deliver(composed);
    } finally {
      route.busy--;
      closeUnused(route);
    }
  }

  return {
    async send(email) {
      const outcome = await deliver(email);
      const isSent = outcome.outcome === "sent";
      log.debug({ messageId: email.messageId, ...outcome }, isSent ? "email sent" : "email refused");
      return outcome;
    },

    domain: async () => domainOf((await currentSetting()).from.address),

    // Also removes saved emails if there is a server, because emails may have been saved before it was set up.
    forget: (credentialUuid) => removeSavedEmails(directory, credentialUuid),

    async close() {
      isClosed = true;
      for (const { delivery } of routes) delivery.close({ isForced: true });
    },
  };
}

/** Makes emails wait while the saved setting can't be used. If they were saved as files, they would never be sent. */
function waitForSetting(cause: unknown): never {
  if (!(cause instanceof Problem) || cause.outage !== undefined) throw cause;
  throw new Problem(
    "unavailable",
    "The saved settings of the email server can't be used: save them again in the console, under Administration › Settings.",
    {
      cause,
      outage: "mail",
    },
  );
}
