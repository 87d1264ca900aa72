import type { SendMailOptions } from "nodemailer";

/** What became of a mail. */
export type Outcome =
  | { readonly outcome: "sent" }
  /** For good; the reason holds nothing personal. */
  | { readonly outcome: "refused"; readonly reason: string };

/** A way out of the house for mails that are ready to go. */
export interface Delivery {
  /** @throws Problem `unavailable` when the mail may go out later */
  deliver(mail: SendMailOptions & { messageId: string }): Promise<Outcome>;
  /** Removes what is kept of mails whose Message-ID has this before its domain. */
  forget(localPart: string): Promise<void>;
  /** What is under way is dropped. */
  close(): Promise<void>;
}
