import type { SendMailOptions } from "nodemailer";

/** Result of sending an email. */
export type Outcome =
  | { readonly outcome: "sent" }
  /** Permanently refused; the reason contains no personal data. */
  | { readonly outcome: "refused"; readonly reason: string };

/** A way to deliver emails. */
export interface Delivery {
  /** @throws Problem `unavailable` if the email may be sent later */
  deliver(mail: SendMailOptions & { messageId: string }): Promise<Outcome>;
  /** Removes stored emails whose Message-ID begins with this local part, with or without a suffix. */
  forget(localPart: string): Promise<void>;
  /** Drops emails that are being sent. */
  close(): Promise<void>;
}
