import type { Logger } from "pino";
import type { Renderer } from "#formats/rendering/engine/renderer.js";
import type { Generator, Particulars } from "#formats/rendering/generator.js";
import { createSemaphore } from "#foundation/concurrency/semaphore.js";
import { Problem } from "#foundation/errors.js";
import { isBlank } from "#foundation/text/plain-line.js";
import type { Database } from "#infrastructure/db/database.js";
import type { LoadAssets } from "../../assets/load-assets.js";
import type { Functions } from "../../configurations/functions.js";
import { pick } from "../../configurations/options.js";
import type { Processor } from "../../eligibility/processor.js";
import type { Credential } from "../credential.js";
import { findByVerifyUuid } from "../credential-store.js";
import { factsOf } from "../generation/render-credential.js";
import { isUuid } from "../uuid.js";
import { createDrawing, tooManyPictures } from "./drawing.js";
import type { PictureShape } from "./rasterise-worker.js";

/** Dependencies for pictures of credentials. */
export interface PictureDeps {
  readonly database: Database;
  readonly functions: Functions<Processor, Generator>;
  readonly renderer: Renderer;
  readonly loadAssets: LoadAssets;
  readonly log: Logger;
  /** Base URL of the service, without a trailing slash. */
  readonly publicUrl: string;
}

/** Pictures of documents for those who show a shared link. */
export interface CredentialPictures {
  /**
   * Returns the picture of a credential as PNG; undefined if it is not in force, or its design takes too long to draw.
   * @param call is charged if the picture has to be made
   * @throws Problem `overloaded` while many are being made
   */
  of(
    verifyUuid: string,
    call: { charge(requests: number): void },
    shape: PictureShape,
  ): Promise<Picture | undefined>;
  close(): Promise<void>;
}

export interface Picture {
  readonly png: Uint8Array;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** The same for the same picture. */
  readonly etag: string;
}

/** One is made at a time; further calls are refused beyond these. */
const MAX_WAITING = 8;
const MAX_REMEMBERED_BYTES = 16 << 20;
const TIME_LIMIT_MS = 20_000;
/** For how many requests making a picture counts, in the limit of each client. */
const CHARGE = 6;

/** Creates what makes pictures: in a thread of its own, which starts with the first one. */
export function createCredentialPictures(deps: PictureDeps): CredentialPictures {
  const drawing = createDrawing(deps);
  const semaphore = createSemaphore(MAX_WAITING);
  const remembered = new Map<string, Uint8Array>();
  const inProgress = new Map<string, Promise<Uint8Array | undefined>>();
  let rememberedBytes = 0;

  function remember(key: string, png: Uint8Array): void {
    remembered.set(key, png);
    rememberedBytes += png.length;
    for (const [oldest, { length }] of remembered) {
      if (rememberedBytes <= MAX_REMEMBERED_BYTES) return;
      remembered.delete(oldest);
      rememberedBytes -= length;
    }
  }

  function begin(key: string, credential: Credential, shape: PictureShape): Promise<Uint8Array | undefined> {
    const making = make(key, credential, shape).finally(() => inProgress.delete(key));
    inProgress.set(key, making);
    return making;
  }

  /** @returns undefined if a document of this design could not be drawn, now or in the last hours */
  async function make(
    key: string,
    credential: Credential,
    shape: PictureShape,
  ): Promise<Uint8Array | undefined> {
    if (!semaphore.tryAcquire()) throw tooManyPictures();
    try {
      const png = await drawing.draw(credential, shape, () => publicDocument(deps, credential));
      if (png) remember(key, png);
      return png;
    } finally {
      semaphore.release();
    }
  }

  return {
    async of(verifyUuid, call, shape) {
      const credential = isUuid(verifyUuid)
        ? await findByVerifyUuid(deps.database.knex, verifyUuid.toLowerCase())
        : undefined;
      if (!credential || !isPictured(credential)) return undefined;
      const key = `${credential.uuid} ${credential.fileSha256} ${shape}`;
      const known = remembered.get(key) ?? inProgress.get(key);
      if (!known) call.charge(CHARGE);
      const made = await (known ?? begin(key, credential, shape));
      if (!made) return undefined;
      const png = Buffer.from(made);
      // The first chunk of a PNG begins with them.
      const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
      return { png, width, height, etag: `"${shape}-${credential.fileSha256?.slice(0, 32)}"` };
    },
    close: drawing.close,
  };
}

/**
 * Returns whether a credential has a picture: while it is in force, and names its holder. What is imported has a file of
 * its own, which may say more than its page.
 */
export function isPictured({
  status,
  isExpired,
  importedAt,
  userFullName,
}: Pick<Credential, "status" | "isExpired" | "importedAt" | "userFullName">): boolean {
  return status === "available" && !isExpired && importedAt === null && !isBlank(userFullName);
}

/**
 * Makes the document as the public may see it: of the learner it says no more than the page. A badge or a seal would
 * not be seen.
 */
async function publicDocument(deps: PictureDeps, credential: Credential): Promise<Uint8Array> {
  const generator = deps.functions.generation(credential.generationFunc);
  const { particulars, ...facts } = factsOf(credential, deps.publicUrl);
  const tooLate = AbortSignal.timeout(TIME_LIMIT_MS);
  const making = deps.renderer.preview(
    generator.name,
    { ...facts, ...(particulars && { particulars: publicOf(particulars) }) },
    { ...pick(credential.options, generator), encrypt: false },
    {
      assets: await deps.loadAssets(credential.assets),
      mode: { stamp: "none", layoutOnly: false, lenient: false },
      signal: tooLate,
    },
  );
  const { pdf } = await making.catch((cause) => {
    if (!tooLate.aborted) throw cause;
    throw new Problem("unavailable", `The picture took more than ${TIME_LIMIT_MS / 1000} s.`, {
      cause,
      retryAfter: 10,
    });
  });
  if (!pdf) throw new Error(`the generator ${generator.name} made no document`);
  return pdf;
}

/** What the design states of everyone. */
function publicOf({ hours, credits, signatory }: Particulars): Particulars {
  return {
    ...(hours !== undefined && { hours }),
    ...(credits !== undefined && { credits }),
    ...(signatory && { signatory }),
  };
}
