import { readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createTransport, type SendMailOptions } from "nodemailer";
import { Problem, unlessAbsent } from "#foundation/errors.js";
import { writeFiles } from "../files/local/file-writer.js";
import type { Delivery } from "./delivery.js";

/**
 * Creates a delivery that stores emails as `<Message-ID>.eml` in a directory, which the first mail creates. A
 * mail that is sent again replaces its file.
 */
export function createFileDelivery(directory: string): Delivery {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: "windows" });

  return {
    async deliver(mail: SendMailOptions & { messageId: string }) {
      const { message } = await transport.sendMail(mail);
      const path = join(resolve(directory), `${mail.messageId.slice(1, -1)}.eml`);
      await writeFiles([{ path, bytes: message as Buffer }]).catch((cause) => {
        throw new Problem("unavailable", "The email can't be saved at the moment; try again later.", {
          cause,
          outage: "mail",
        });
      });
      return { outcome: "sent" };
    },

    async forget(localPart) {
      const names = await readdir(directory).catch(unlessAbsent);
      // Drafts of processes that died while writing begin with a dot.
      const isOfIt = (name: string) =>
        ["@", "-again-", "-expires-", "-withdrawn@"].some((end) => name.startsWith(`${localPart}${end}`));
      const ofEmail = names?.filter((name) => isOfIt(name.replace(/^\./, ""))) ?? [];
      for (const name of ofEmail) await rm(join(directory, name), { force: true });
    },

    async close() {},
  };
}
