import { readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createTransport, type SendMailOptions } from "nodemailer";
import { ignoreMissingFile, Problem } from "#foundation/errors.js";
import { writeFiles } from "../files/local/file-writer.js";
import type { Delivery } from "./delivery.js";

/** Stores emails as `<Message-ID>.eml`. An email that is sent again replaces its file. */
export function createFileDelivery(directory: string): Delivery {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: "windows" });

  return {
    async deliver(email: SendMailOptions & { messageId: string }) {
      const { message } = await transport.sendMail(email);
      const path = join(resolve(directory), `${email.messageId.slice(1, -1)}.eml`);
      await writeFiles([{ path, bytes: message as Buffer }]).catch((cause) => {
        throw new Problem("unavailable", "The email can't be saved at the moment; try again later.", {
          cause,
          outage: "mail",
        });
      });
      return { outcome: "sent" };
    },

    close() {},
  };
}

/** Removes the saved emails about a credential. @param localPart beginning of their Message-IDs, before any suffix */
export async function removeSavedEmails(directory: string, localPart: string): Promise<void> {
  const names = await readdir(directory).catch(ignoreMissingFile);
  // Drafts of processes that stopped while writing begin with a dot.
  const isOfIt = (name: string) =>
    ["@", "-again-", "-expires-", "-withdrawn@"].some((end) => name.startsWith(`${localPart}${end}`));
  const ofEmail = names?.filter((name) => isOfIt(name.replace(/^\./, ""))) ?? [];
  for (const name of ofEmail) await rm(join(directory, name), { force: true });
}
