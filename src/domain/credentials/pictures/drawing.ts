import type { Logger } from "pino";
import { threadModule } from "#foundation/concurrency/thread-module.js";
import { createThreadPool, TaskTooLarge } from "#foundation/concurrency/thread-pool.js";
import { Problem } from "#foundation/errors.js";
import type { Database } from "#infrastructure/db/database.js";
import type { Credential } from "../credential.js";
import type { PictureShape, Rasterised, Rasterising } from "./rasterise-worker.js";
import { designOf, isUndrawable, noteUndrawable } from "./undrawable-designs.js";

interface Drawing {
  /**
   * Draws the first page. Returns `undefined` if drawing a document of the same design fails, or has failed in the last
   * hours.
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

interface Rasteriser {
  /**
   * Draws the first page. Returns an error if the document can't be drawn.
   * @throws Problem `overloaded` if the machine is too busy
   */
  draw(pdf: Uint8Array, shape: PictureShape): Promise<Rasterised>;
  close(): Promise<void>;
}

/** The limit is high, because a busy machine may give the thread little processor time. */
const DRAWING_LIMIT_MS = 60_000;
/** Seconds of processor time per page. An ordinary page takes one second. */
const PROCESSOR_LIMIT = 5;

export function createRasteriser(): Rasteriser {
  const rasterising = createThreadPool<Rasterising, Rasterised>({
    module: threadModule(import.meta.url, "rasterise-worker"),
    workerData: {},
    threads: 1,
    subject: "Drawing the picture",
    timeLimitMs: DRAWING_LIMIT_MS,
    processorLimit: PROCESSOR_LIMIT,
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  });
  return {
    draw: (pdf, shape) => rasterising.run({ pdf, shape }).catch(errorOfTask),
    close: rasterising.close,
  };
}

export function createDrawing({
  database: { knex },
  log,
}: {
  readonly database: Database;
  readonly log: Logger;
}): Drawing {
  const rasteriser = createRasteriser();
  return {
    async draw(credential, shape, open) {
      const design = designOf(credential);
      if (await isUndrawable(knex, design)) return undefined;
      const pdf = await open();
      const drawn = await rasteriser.draw(pdf, shape);
      if ("png" in drawn) return drawn.png;
      log.warn({ credential: credential.uuid, err: drawn.error }, "document could not be drawn as a picture");
      await noteUndrawable(knex, design);
      return undefined;
    },
    close: rasteriser.close,
  };
}

export function tooManyPictures(cause?: unknown): Problem {
  return new Problem("overloaded", "Too many pictures are being created: try again in five seconds.", {
    retryAfter: 5,
    cause,
  });
}

/**
 * Returns the error if the document exceeds the limits of the thread, so that it is not drawn again. Throws all other
 * errors: after a timeout, the machine may only be busy.
 */
function errorOfTask(error: unknown): { readonly error: unknown } {
  if (error instanceof TaskTooLarge) return { error };
  throw error instanceof Problem && error.kind === "unavailable" ? tooManyPictures(error) : error;
}
