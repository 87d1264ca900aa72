import type { SendMailOptions } from "nodemailer";

/** Result of sending a mail. */
export type Outcome =
  | { readonly outcome: "sent" }
  /** Refused for good; the reason contains nothing personal. */
  | { readonly outcome: "refused"; readonly reason: string };

/** A way to deliver mails that are ready to send. */
export interface Delivery {
  /** @throws Problem `unavailable` if the mail may be sent later */
  deliver(mail: SendMailOptions & { messageId: string }): Promise<Outcome>;
  /** Removes stored mails whose Message-ID has this part before its domain. */
  forget(localPart: string): Promise<void>;
  /** Drops mails that are being sent. */
  close(): Promise<void>;
}
