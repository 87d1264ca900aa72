import type { SendMailOptions } from "nodemailer";

/** Result of sending an email. */
export type Outcome =
  | { readonly outcome: "sent" }
  /** Refused for good; the reason contains nothing personal. */
  | { readonly outcome: "refused"; readonly reason: string };

/** A way to deliver emails that are ready to send. */
export interface Delivery {
  /** @throws Problem `unavailable` if the email may be sent later */
  deliver(mail: SendMailOptions & { messageId: string }): Promise<Outcome>;
  /** Removes stored emails whose Message-ID has this part before its domain. */
  forget(localPart: string): Promise<void>;
  /** Drops emails that are being sent. */
  close(): Promise<void>;
}
