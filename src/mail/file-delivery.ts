import { join, resolve } from "node:path";
import { createTransport, type SendMailOptions } from "nodemailer";
import { Problem } from "../errors.js";
import { writeDurably } from "../files/write-durably.js";
import type { Delivery } from "./delivery.js";

/** Keeps mails as `<Message-ID>.eml` in a directory, which the first one makes; a resend replaces the file. */
export function createFileDelivery(directory: string): Delivery {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: "windows" });

  return {
    async deliver(mail: SendMailOptions & { messageId: string }) {
      const { message } = await transport.sendMail(mail);
      const path = join(resolve(directory), `${mail.messageId.slice(1, -1)}.eml`);
      await writeDurably(path, message as Buffer).catch((cause) => {
        throw new Problem("unavailable", "The mail can't be written at the moment; try again later.", {
          cause,
        });
      });
      return { outcome: "sent" };
    },

    async close() {},
  };
}
