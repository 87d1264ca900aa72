import type { Logger } from "pino";
import type { Database } from "#infrastructure/db/database.js";
import type { FileStore } from "#infrastructure/files/file-store.js";
import type { Credential } from "../credential.js";
import { createDrawing } from "./drawing.js";

interface EmailPictures {
  /** Returns a PNG of the document that the learner gets, or `undefined` if it can't be drawn. Never throws. */
  of(credential: Credential): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}

/** If the picture can't be drawn, the email is sent without it. */
export function createEmailPictures(deps: {
  readonly database: Database;
  readonly files: Pick<FileStore, "read">;
  readonly log: Logger;
}): EmailPictures {
  const drawing = createDrawing(deps);
  return {
    async of(credential) {
      const { uuid, fileKey } = credential;
      try {
        const pdf = fileKey === null ? undefined : await deps.files.read(fileKey);
        return pdf && (await drawing.draw(credential, "mail", async () => pdf));
      } catch (err) {
        deps.log.warn({ credential: uuid, err }, "email about a credential is sent without a picture");
        return undefined;
      }
    },
    close: drawing.close,
  };
}
