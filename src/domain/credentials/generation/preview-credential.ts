import type { Renderer } from "#formats/rendering/engine/renderer.js";
import type { Generator, Particulars, UsedParticulars } from "#formats/rendering/generator.js";
import type { PreviewedDocument, PreviewMode } from "#formats/rendering/layout.js";
import { invalidField } from "#foundation/errors.js";
import type { GradingScale } from "#foundation/text/grading-scale.js";
import { type Database, inTransaction } from "#infrastructure/db/database.js";
import type { Knex } from "#infrastructure/db/query.js";
import type { LoadAssets } from "../../assets/load-assets.js";
import { readIssuingBrand } from "../../brands/brand.js";
import { assetsNamed, resolveAssets } from "../../configurations/asset-references.js";
import type { CredentialType } from "../../configurations/credential-type.js";
import type { Functions } from "../../configurations/functions.js";
import { getConfiguration } from "../../configurations/manage-configurations.js";
import { functionsOf, getType } from "../../configurations/manage-types.js";
import { checkTypeOptions, type Options, pick } from "../../configurations/options.js";
import type { Processor } from "../../eligibility/processor.js";
import { findContextName } from "../../learners/context-name.js";
import { organisationOf } from "../../learners/organisations.js";
import { brandedOptions } from "../branded-options.js";
import { readSuccessor, type Successor } from "../invalidation/reissue-credentials.js";
import { requestedParticulars } from "../issuance/credential-design.js";
import { type IssuingSettings, printedSettings } from "../print-settings.js";
import { SAMPLE_CONTEXT, SAMPLE_NAME } from "../samples.js";
import { endOfValidity } from "../validity/end-of-validity.js";
import { factsOf } from "./render-credential.js";

export interface PreviewDeps {
  readonly database: Database;
  readonly functions: Functions<Processor, Generator>;
  readonly renderer: Renderer;
  readonly loadAssets: LoadAssets;
  readonly settings: IssuingSettings;
  readonly publicUrl: string;
}

/** A saved configuration, or a credential type, which may be unsaved. */
export type DesignSource =
  | { readonly configurationId: number }
  | { readonly type: Omit<CredentialType, "id"> };

/** A design, or a credential to reissue, with the texts to print. */
export interface Preview {
  readonly source: DesignSource | { readonly credentialUuid: string };
  readonly customOptions: Options;
  /** Texts to print. Each sample becomes one document. */
  readonly samples: readonly PreviewSample[];
  readonly mode: PreviewMode;
}

/** Exported again because the API may not import from `formats`. */
export type Previewed = PreviewedDocument;

export interface PreviewSample {
  /** Empty for the learner's name, or for a sample name if there is no learner. */
  readonly userFullName: string;
  /** Empty for the name of the configuration's context, or for a sample name if there is no configuration. */
  readonly learningContextName: string;
}

const SAMPLE_LEARNER_ID = "2026-0417";
const SAMPLE_GRADE = 92.35;
const SAMPLE_LETTER = "A";
/** Sample grades on scales that don't use letters. */
const SAMPLE_LETTERS: Partial<Record<GradingScale["name"], string>> = { german: "1.3", italian: "30L" };
const SAMPLE_COMPLETION = 95;
const SAMPLE_STEPS = 5;

/** UUID under which verification finds no credential. */
const NO_UUID = "00000000-0000-0000-0000-000000000000";

/** Maximum total size of the documents, because the response is held in memory. */
const MAX_BYTES = 48 << 20;

/**
 * Renders a document for each sample. Nothing is issued or stored.
 * @throws Problem `not-found`; `invalid` if the options can't be saved; each Problem that reissuing a credential throws
 */
export async function previewCredential(
  deps: PreviewDeps,
  preview: Preview,
  signal: AbortSignal,
): Promise<PreviewedDocument[]> {
  const { database, functions, renderer, loadAssets } = deps;
  const { source, samples } = preview;
  const design = await inTransaction(database, signal, (transaction) =>
    "credentialUuid" in source
      ? readSuccessor(transaction, deps, source.credentialUuid, samples[0]?.userFullName ?? "")
      : readSampleDesign(transaction, deps, { ...preview, source }),
  );
  const generator = functions.generation(design.generationFunc);
  const options = pick(design.options, generator);
  const how = { assets: await loadAssets(design.assets), mode: preview.mode, signal };
  const credential = { ...design, createdAt: new Date(), verifyUuid: NO_UUID };
  let bytes = 0;
  const documents: PreviewedDocument[] = [];
  for (const { userFullName, learningContextName } of samples) {
    const sample = {
      ...credential,
      userFullName: userFullName || credential.userFullName,
      learningContextName: learningContextName || credential.learningContextName,
    };
    const document = await renderer.preview(generator.name, factsOf(sample, deps.publicUrl), options, how);
    bytes += document.pdf?.length ?? 0;
    if (documents.length > 0 && bytes > MAX_BYTES) {
      throw invalidField(
        "samples",
        `samples: the first ${documents.length + 1} of ${preview.samples.length} documents have ${bytes} bytes; a response can have at most ${MAX_BYTES}. Request fewer samples at once, or set layout_only.`,
      );
    }
    documents.push(document);
  }
  return documents;
}

/** Makes up facts that would come from records. Facts from the options are printed as on a real document. */
function sampleParticulars({
  stated,
  learnerId,
  grade,
  grades,
  learner,
  enrollment,
  ...used
}: UsedParticulars) {
  const sampled = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, `[${key}]`]));
  return {
    ...stated,
    ...(learnerId && { learner_id: SAMPLE_LEARNER_ID }),
    ...(grade && { grade: SAMPLE_GRADE }),
    ...(used.letter && { letter: (stated.scale && SAMPLE_LETTERS[stated.scale.name]) ?? SAMPLE_LETTER }),
    ...(used.passed && { passed: true }),
    ...(used.completion && { completion: SAMPLE_COMPLETION }),
    ...(used.steps && { steps: SAMPLE_STEPS }),
    grades: Object.fromEntries(grades.map((type) => [type, SAMPLE_GRADE])),
    learner: sampled(learner),
    enrollment: sampled(enrollment),
  } satisfies Particulars;
}

/** Reads a design, and makes up the content of a sample credential. */
async function readSampleDesign(
  transaction: Knex.Transaction,
  { functions, settings }: PreviewDeps,
  design: { readonly source: DesignSource; readonly customOptions: Options },
): Promise<Omit<Successor, "configurationId" | "learningContextKey">> {
  const { type, contextName } = await readDesign(transaction, functions, design);
  const { name: credentialType, generationFunc, customOptions: options } = type;
  const named = functionsOf(functions, type);
  checkTypeOptions(options, named);
  const assets = await resolveAssets(transaction, assetsNamed(named.generation, options));
  const used = requestedParticulars(options, named.generation);
  return {
    credentialType,
    generationFunc,
    options,
    assets: Object.fromEntries([...assets].map(([slug, { sha256 }]) => [slug, sha256])),
    printSettings: printedSettings(settings),
    userFullName: SAMPLE_NAME,
    learningContextName: contextName || SAMPLE_CONTEXT,
    particulars: sampleParticulars(used),
    awardedAt: null,
    validUntil: endOfValidity(options, new Date(), settings.timeZone),
  };
}

/**
 * Returns the type, whose options are merged with those of the brand, the configuration and the preview. Also returns
 * the name of the configuration's context, if there is one.
 */
async function readDesign(
  transaction: Knex.Transaction,
  functions: PreviewDeps["functions"],
  { source, customOptions }: { readonly source: DesignSource; readonly customOptions: Options },
): Promise<{ type: Omit<CredentialType, "id">; contextName: string | undefined }> {
  const branded = async (type: Omit<CredentialType, "id">, organisation: string, ...layers: Options[]) => {
    const brand = await readIssuingBrand(transaction, organisation);
    const generation = functions.generation(type.generationFunc);
    return { ...type, customOptions: brandedOptions(generation, brand, type.customOptions, ...layers) };
  };
  if ("type" in source)
    return { type: await branded(source.type, "", customOptions), contextName: undefined };
  const configuration = await getConfiguration(transaction, source.configurationId);
  const type = await getType(transaction, configuration.credentialTypeId);
  const organisation = organisationOf(configuration.learningContextKey);
  return {
    type: await branded(type, organisation, configuration.customOptions, customOptions),
    contextName: await findContextName(transaction, configuration.learningContextKey),
  };
}
