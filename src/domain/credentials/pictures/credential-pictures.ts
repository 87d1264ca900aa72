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

interface PictureDeps {
  readonly database: Database;
  readonly functions: Functions<Processor, Generator>;
  readonly renderer: Renderer;
  readonly loadAssets: LoadAssets;
  readonly log: Logger;
  readonly publicUrl: string;
}

/** Pictures of documents, for previews of shared links. */
export interface CredentialPictures {
  /**
   * Returns a PNG. Returns `undefined` if the credential is not valid or was imported, if its learner was erased, or if
   * documents of its design can't be drawn.
   * @param call charges the client's rate limit, but only if the picture has to be drawn
   * @throws Problem `overloaded` if many pictures are being drawn
   */
  of(
    verifyUuid: string,
    call: { charge(requests: number): void },
    shape: PictureShape,
  ): Promise<Picture | undefined>;
  close(): Promise<void>;
}

interface Picture {
  readonly png: Uint8Array;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Changes only if the picture changes. */
  readonly etag: string;
}

const MAX_WAITING = 8;
const MAX_REMEMBERED_BYTES = 16 << 20;
const TIME_LIMIT_MS = 20_000;
/** Drawing a picture counts as this many requests in the client's rate limit. */
const DRAWING_COST = 6;

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

  /** Returns `undefined` if drawing a document of this design fails, or has failed in the last few hours. */
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
      const cached = remembered.get(key) ?? inProgress.get(key);
      if (!cached) call.charge(DRAWING_COST);
      const made = await (cached ?? begin(key, credential, shape));
      if (!made) return undefined;
      const png = Buffer.from(made);
      // The first chunk of a PNG starts with its width and height.
      const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
      return { png, width, height, etag: `"${shape}-${credential.fileSha256?.slice(0, 32)}"` };
    },
    close: drawing.close,
  };
}

export function isPictured({
  status,
  isExpired,
  importedAt,
  userFullName,
}: Pick<Credential, "status" | "isExpired" | "importedAt" | "userFullName">): boolean {
  return status === "available" && !isExpired && importedAt === null && !isBlank(userFullName);
}

/**
 * Renders a document that shows no more about the learner than the verification page. Leaves out the badge and the
 * seal, because they are not visible in a picture.
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
    throw new Problem(
      "unavailable",
      `The picture could not be created within ${TIME_LIMIT_MS / 1000} s: try again later.`,
      {
        cause,
        retryAfter: 10,
      },
    );
  });
  if (!pdf) throw new Error(`the generator ${generator.name} created no document`);
  return pdf;
}

/** Returns only facts from the design, which are the same for all learners. */
function publicOf({ hours, credits, signatory }: Particulars): Particulars {
  return {
    ...(hours !== undefined && { hours }),
    ...(credits !== undefined && { credits }),
    ...(signatory && { signatory }),
  };
}
