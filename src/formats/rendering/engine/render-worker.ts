import { parentPort, workerData } from "node:worker_threads";
import { lowerThread } from "#foundation/concurrency/lower-priority.js";
import { failedPrecondition, Problem, type ProblemKind } from "#foundation/errors.js";
import type { ListDocument } from "../design/list-document.js";
import type { Assets, CredentialFacts, Generator } from "../generator.js";
import type { PreviewedDocument, PreviewMode } from "../layout.js";
import { builtInGenerators } from "./built-in-generators.js";

export type RenderTask = DocumentTask | { readonly list: ListDocument };

interface DocumentTask {
  readonly generator: string;
  readonly facts: CredentialFacts;
  readonly options: Record<string, unknown>;
  readonly assets: Assets;
  /** If present, the task renders a preview instead of a document. */
  readonly preview?: PreviewMode | undefined;
}

/** A problem is sent as data, because errors lose their class between threads. */
export type RenderOutcome =
  | { readonly kind: "made"; readonly document: PreviewedDocument }
  | { readonly kind: "refused"; readonly problem: ProblemKind; readonly message: string }
  | { readonly kind: "failed"; readonly error: unknown };

const anyone: CredentialFacts = {
  userFullName: "Ada Lovelace",
  learningContextName: "Foundations",
  credentialType: "Certificate",
  created: new Date(0),
  verifyUuid: "00000000-0000-0000-0000-000000000000",
  verifyUrl: "https://example.org/verify/00000000-0000-0000-0000-000000000000/",
  platformName: "Example",
  language: "en",
};

const { modules } = workerData as { modules: readonly string[] };
const loaded: { readonly generators?: readonly Generator[] }[] = await Promise.all(
  modules.map((url) => import(url)),
);
const generators = new Map(
  [...builtInGenerators, ...loaded.flatMap(({ generators = [] }) => generators)].map((each) => [
    each.name,
    each,
  ]),
);
parentPort?.on("message", async (task: RenderTask) => {
  const outcome = await outcomeOf(task);
  const pdf = outcome.kind === "made" ? outcome.document.pdf : undefined;
  parentPort?.postMessage(outcome, pdf ? [pdf.buffer] : []);
});

// The first document loads libraries and fonts, which takes up to two seconds. It is rendered here, so that the loading
// doesn't use up the time limit of a real document.
await Promise.all(builtInGenerators.map((generator) => generator.render(anyone, {})));
lowerThread();
parentPort?.postMessage("ready");

async function outcomeOf(task: RenderTask): Promise<RenderOutcome> {
  try {
    return { kind: "made", document: await render(task) };
  } catch (error) {
    if (!(error instanceof Problem)) return { kind: "failed", error };
    return { kind: "refused", problem: error.kind, message: error.message };
  }
}

async function render(task: RenderTask): Promise<PreviewedDocument> {
  if ("list" in task) {
    const { writeList } = await import("../design/list-document.js");
    return { pdf: Uint8Array.from(writeList(task.list)) };
  }
  const { generator: name, facts, options, assets, preview } = task;
  const generator = generators.get(name);
  if (!generator) throw failedPrecondition(`There is no generator "${name}".`);
  if (preview && generator.preview) return generator.preview(facts, options, assets, preview);
  const bytes = await generator.render(facts, options, assets, {
    preview: preview !== undefined && preview.stamp !== "none",
  });
  // This copy has its own buffer, which can be transferred to the other thread without another copy.
  return { pdf: Uint8Array.from(bytes) };
}
