import { randomBytes } from "node:crypto";
import type { Database } from "../db/database.js";
import type { FileStore } from "../files/file-store.js";
import { beginFileMove, endFileMove } from "./credential-store.js";

/** What moving a file needs. */
export interface MovingParts {
  readonly database: Database;
  readonly files: FileStore;
  /** Where the files of credentials in force lie in the store. */
  readonly outputDir: string;
}

/**
 * Moves the file of an invalidated credential to where no link leads. It may die at any point, and run again or twice at
 * once: where the file goes is decided in the database first, so that every run moves it to the same place.
 *
 * A file that is gone is no failure: what must not be read can't be.
 * @throws Problem `unavailable` when the store is out of reach: the file may still be where it was
 */
export async function moveInvalidatedFile(
  { database, files, outputDir }: MovingParts,
  credentialUuid: string,
): Promise<void> {
  const target = `${outputDir}_invalidated/${credentialUuid}/${randomBytes(16).toString("hex")}.pdf`;
  const move = await beginFileMove(database.knex, credentialUuid, target);
  if (!move) return;
  await files.move(move.from, move.to);
  await endFileMove(database.knex, credentialUuid);
}
