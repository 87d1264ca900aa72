import { threadModule } from "#foundation/concurrency/thread-module.js";
import { createThreadPool } from "#foundation/concurrency/thread-pool.js";
import { Problem } from "#foundation/errors.js";
import type { ListDocument } from "../design/list-document.js";
import type { Assets, CredentialFacts, LoadedAsset } from "../generator.js";
import type { PreviewedDocument, PreviewMode } from "../layout.js";
import type { RenderOutcome, RenderTask } from "./render-worker.js";

/** Renders documents in worker threads. */
export interface Renderer {
  /**
   * @param generator dotted name
   * @throws Problem of the generator; `unavailable` if the thread dies or takes too long
   */
  render(
    generator: string,
    facts: CredentialFacts,
    options: Record<string, unknown>,
    assets?: Assets,
  ): Promise<Uint8Array>;
  /**
   * Renders a preview in a separate thread, so that previews and documents don't wait for each other or evict each
   * other's prepared designs.
   * @param signal cancels the preview: the call returns at once, even if the thread still finishes it
   * @throws Problem as `render` does
   */
  preview(
    generator: string,
    facts: CredentialFacts,
    options: Record<string, unknown>,
    preview: { readonly assets: Assets; readonly mode: PreviewMode; readonly signal: AbortSignal },
  ): Promise<PreviewedDocument>;
  /**
   * Renders a list in the preview thread.
   * @throws Problem as `render` does
   */
  list(list: ListDocument, signal: AbortSignal): Promise<Uint8Array>;
  /** Finishes running and queued documents, then ends the threads. */
  close(): Promise<void>;
}

interface RendererOptions {
  readonly threads: number;
  /** Time limit for a document in milliseconds. The start of its thread is not included. */
  readonly timeLimitMs?: number;
  /** Heap limit of one thread. */
  readonly memoryLimitMb?: number;
  /** URLs of ES modules that can export `generators`, a list of additional generators. */
  readonly modules?: readonly string[];
}

const sharedAssetCache = 100;

/** With a larger young generation, a thread would take 35 MB more memory and be no faster. */
const YOUNG_GENERATION_MB = 8;

/** Threads start when a document first needs them. */
export function createRenderer({
  threads,
  timeLimitMs = 20_000,
  memoryLimitMb = 512,
  modules = [],
}: RendererOptions): Renderer {
  const createPool = (threads: number) =>
    createThreadPool<RenderTask, RenderOutcome>({
      module: threadModule(import.meta.url, "render-worker"),
      workerData: { modules },
      threads,
      subject: "Generating the document",
      timeLimitMs,
      resourceLimits: {
        maxOldGenerationSizeMb: memoryLimitMb,
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      },
    });
  const pool = createPool(threads);
  const previews = createPool(1);
  const share = createSharing();

  return {
    async render(generator, facts, options, assets = new Map()) {
      const { pdf } = documentOfOutcome(await pool.run({ generator, facts, options, assets: share(assets) }));
      if (!pdf) throw new Error(`The generator ${generator} created no document.`);
      return pdf;
    },
    async preview(generator, facts, options, { assets, mode, signal }) {
      const task = { generator, facts, options, assets: share(assets), preview: mode };
      return documentOfOutcome(await previews.run(task, { signal }));
    },
    async list(list, signal) {
      const { pdf } = documentOfOutcome(await previews.run({ list }, { signal }));
      if (!pdf) throw new Error("The renderer created no list.");
      return pdf;
    },
    async close() {
      await Promise.all([pool.close(), previews.close()]);
    },
  };
}

function documentOfOutcome(outcome: RenderOutcome): PreviewedDocument {
  if (outcome.kind === "made") return outcome.document;
  if (outcome.kind === "failed") throw outcome.error;
  throw new Problem(outcome.problem, outcome.message);
}

/** Copies assets into memory shared by all threads, so that templates aren't copied for every credential. */
function createSharing(): (assets: Assets) => Assets {
  const shared = new Map<string, LoadedAsset>();
  const share = (asset: LoadedAsset): LoadedAsset => {
    const cached = shared.get(asset.sha256);
    if (cached) return cached;
    const bytes = new Uint8Array(new SharedArrayBuffer(asset.bytes.length));
    bytes.set(asset.bytes);
    if (shared.size >= sharedAssetCache) shared.clear();
    shared.set(asset.sha256, { ...asset, bytes });
    return { ...asset, bytes };
  };
  return (assets) => new Map([...assets].map(([slug, asset]) => [slug, share(asset)]));
}
