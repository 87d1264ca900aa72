import type { SendMailOptions } from "nodemailer";

export type DeliveryOutcome =
  | { readonly outcome: "sent" }
  /** Permanently refused. The reason contains no personal data. */
  | { readonly outcome: "refused"; readonly reason: string };

export interface Delivery {
  /** @throws Problem `unavailable` if the email may be sent later */
  deliver(email: SendMailOptions & { messageId: string }): Promise<DeliveryOutcome>;
  /** Closes connections. If forced, emails that are being sent are dropped. */
  close(options: { readonly isForced: boolean }): void;
}
