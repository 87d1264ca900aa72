import type { Logger } from "pino";
import { threadModule } from "#foundation/concurrency/thread-module.js";
import { createThreadPool, TaskTooLarge } from "#foundation/concurrency/thread-pool.js";
import { Problem } from "#foundation/errors.js";
import type { Database } from "#infrastructure/db/database.js";
import type { Credential } from "../credential.js";
import type { PictureShape, Rasterised, Rasterising } from "./rasterise-worker.js";
import { designOf, isUndrawable, noteUndrawable } from "./undrawable-designs.js";

/** Draws documents as PNG, one at a time. */
export interface Drawing {
  /**
   * Returns the first page of a credential's document; undefined if drawing a document of its design has failed, now or
   * within the last hours.
   * @param open reads or renders the document
   * @throws Problem `overloaded` if the machine is too busy
   */
  draw(
    credential: Credential,
    shape: PictureShape,
    open: () => Promise<Uint8Array>,
  ): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}

/** Long, because a busy machine may give the thread little processor time. */
const DRAWING_LIMIT_MS = 60_000;
/** In seconds. An ordinary page takes one second. */
const PROCESSOR_LIMIT = 5;

/** Creates the thread that draws, which is started for the first picture. */
export function createDrawing({
  database: { knex },
  log,
}: {
  readonly database: Database;
  readonly log: Logger;
}): Drawing {
  const rasterising = createThreadPool<Rasterising, Rasterised>({
    module: threadModule(import.meta.url, "rasterise-worker"),
    workerData: {},
    threads: 1,
    subject: "The picture",
    timeLimitMs: DRAWING_LIMIT_MS,
    processorLimit: PROCESSOR_LIMIT,
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  });
  return {
    async draw(credential, shape, open) {
      const design = designOf(credential);
      if (await isUndrawable(knex, design)) return undefined;
      const pdf = await open();
      const drawn = await rasterising.run({ pdf, shape }).catch(errorOfTask);
      if ("png" in drawn) return drawn.png;
      log.warn({ credential: credential.uuid, err: drawn.error }, "document could not be drawn as a picture");
      await noteUndrawable(knex, design);
      return undefined;
    },
    close: rasterising.close,
  };
}

/** Returns the error for a client while many pictures are being drawn. */
export function tooManyPictures(cause?: unknown): Problem {
  return new Problem("overloaded", "Too many pictures are being made: try again in five seconds.", {
    retryAfter: 5,
    cause,
  });
}

/**
 * Decides whether to try the document again: not if it exceeds the limits of the thread. On a busy machine, only the
 * time limit may have been exceeded.
 */
function errorOfTask(error: unknown): { readonly error: unknown } {
  if (error instanceof TaskTooLarge) return { error };
  throw error instanceof Problem && error.kind === "unavailable" ? tooManyPictures(error) : error;
}
