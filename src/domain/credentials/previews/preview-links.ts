import { randomBytes } from "node:crypto";
import { createSemaphore } from "#foundation/concurrency/semaphore.js";
import { failedPrecondition, Problem } from "#foundation/errors.js";
import { inTransaction } from "#infrastructure/db/database.js";
import type { Knex } from "#infrastructure/db/query.js";
import { getConfiguration } from "../../configurations/manage-configurations.js";
import { getType } from "../../configurations/manage-types.js";
import type { Options } from "../../configurations/options.js";
import { findContextName } from "../../learners/context-name.js";
import { organisationOf } from "../../learners/organisations.js";
import { type DesignSource, type PreviewDeps, previewCredential } from "../generation/preview-credential.js";
import { createRasteriser, tooManyPictures } from "../pictures/drawing.js";
import {
  countPreviewLinks,
  insertPreviewLink,
  lockPreviewLinks,
  type PreviewLink,
  removeExpiredLinks,
} from "./preview-link-store.js";

/** Limits the documents in the database to 800 MB. */
const MAX_PREVIEW_LINKS = 100;
const MAX_BYTES = 8 << 20;

/** Maximum number of pictures that are drawn at the same time. Further requests are rejected. */
const MAX_DRAWING = 2;

const TOKEN_BYTES = 24;

interface SharedDesign {
  readonly source: DesignSource;
  /** The type that has the design; 0 if the type was not saved. */
  readonly credentialTypeId: number;
  /** Options that override the options of the design. */
  readonly customOptions: Options;
  readonly validDays: number;
  readonly createdBy: string;
}

interface PreviewLinks {
  /**
   * Creates a link that shows the current design with made-up data, marked as a preview. The files are made
   * immediately. Later changes of the design therefore don't alter what someone has approved.
   * @throws Problem like `previewCredential`; `failed-precondition` if there are too many links, or the document is too
   * large; `overloaded`
   */
  share(design: SharedDesign, signal: AbortSignal): Promise<PreviewLink>;
}

export function createPreviewLinks(deps: PreviewDeps): PreviewLinks {
  const semaphore = createSemaphore(MAX_DRAWING);
  const { database } = deps;

  async function draw(design: SharedDesign, signal: AbortSignal) {
    const samples = [{ userFullName: "", learningContextName: "" }];
    const mode = { stamp: "across", layoutOnly: false, lenient: false } as const;
    const [document] = await previewCredential(deps, { ...design, samples, mode }, signal);
    const pdf = document?.pdf;
    if (!pdf) throw new Error("the design created no document");
    if (pdf.length > MAX_BYTES)
      throw failedPrecondition(
        `The document has ${pdf.length} bytes; at most ${MAX_BYTES} can be shared: use smaller pictures in the design.`,
      );
    if (!semaphore.tryAcquire()) throw tooManyPictures();
    // Links are rarely created, so each drawing starts its own thread.
    const rasteriser = createRasteriser();
    try {
      const drawn = await rasteriser.draw(pdf, "page");
      return { pdf, png: "png" in drawn && drawn.png.length <= MAX_BYTES ? drawn.png : null };
    } finally {
      semaphore.release();
      await rasteriser.close();
    }
  }

  return {
    async share(design, signal) {
      const { source, credentialTypeId, validDays, createdBy } = design;
      const drawn = await draw(design, signal);
      const token = randomBytes(TOKEN_BYTES).toString("base64url");
      return inTransaction(database, signal, async (transaction) => {
        await lockPreviewLinks(transaction);
        await removeExpiredLinks(transaction);
        if ((await countPreviewLinks(transaction)) >= MAX_PREVIEW_LINKS)
          throw failedPrecondition(
            `There are ${MAX_PREVIEW_LINKS} preview links, the maximum: revoke one that is no longer needed.`,
          );
        const subject =
          "type" in source
            ? { ...OF_NO_CONFIGURATION, title: source.type.name, credentialTypeId: credentialTypeId || null }
            : await readSubject(transaction, source.configurationId);
        return insertPreviewLink(transaction, { ...drawn, ...subject, token, validDays, createdBy });
      });
    },
  };
}

const OF_NO_CONFIGURATION = { contextName: null, configurationId: null, organisation: "" };

async function readSubject(transaction: Knex.Transaction, configurationId: number) {
  const { credentialTypeId, learningContextKey } = await getConfiguration(transaction, configurationId);
  return {
    title: (await getType(transaction, credentialTypeId)).name,
    contextName: (await findContextName(transaction, learningContextKey)) ?? learningContextKey,
    credentialTypeId,
    configurationId,
    organisation: organisationOf(learningContextKey),
  };
}

export function noSuchPreviewLink(id: number): Problem {
  return new Problem("not-found", `There is no preview link ${id}. It may have expired or been revoked.`);
}
