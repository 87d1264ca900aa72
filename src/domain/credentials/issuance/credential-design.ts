import type { Knex } from "knex";
import type { CharacterRanges, Particulars, UsedParticulars } from "#formats/rendering/generator.js";
import { failedPrecondition, Problem } from "#foundation/errors.js";
import type { GradingScale } from "#foundation/text/grading-scale.js";
import { queryValue } from "#infrastructure/db/query.js";
import type { Asset } from "../../assets/asset.js";
import { assetsNamed, resolveAssets } from "../../configurations/asset-references.js";
import { gradingScaleIn } from "../../configurations/grading-scale-option.js";
import { type ConfigurableFunction, type Options, pick } from "../../configurations/options.js";
import { brandedOptions } from "../branded-options.js";
import type { LearnerColumns, SharedColumns } from "../credential-columns.js";
import { frozenSettings } from "../print-settings.js";
import { endOfValidity } from "../validity/end-of-validity.js";
import type { IssuanceInputs } from "./issuance-inputs.js";
import type { IssuingDeps } from "./issuing-deps.js";
import type { SoughtParticulars } from "./particulars.js";

/** Content and appearance of every credential that is issued under a configuration now, the same for all learners. */
export type CredentialContent = Omit<SharedColumns, "issuedBy" | "runId" | "skipsEmail">;

/** The learner's facts that a credential prints. */
export type PrintedLearner = Pick<LearnerColumns, "userFullName" | "particulars">;

/** The shared content, and checks that texts can be printed. */
export interface CredentialDesign {
  readonly content: CredentialContent;
  /** The values from records and options that are printed. */
  readonly used: SoughtParticulars;
  /**
   * Returns the end of validity of a credential that is issued in this transaction; null if it never expires.
   * @throws Problem `failed-precondition` if the last day has passed
   */
  validUntil(): Date | null;
  /** @throws Problem `failed-precondition` naming a character of the shared texts that no font of the design has */
  checkShared(): void;
  /** Makes the same check for the texts of these learners. */
  checkLearners(learners: readonly PrintedLearner[]): void;
}

const NOTHING: UsedParticulars = {
  stated: {},
  learnerId: false,
  grade: false,
  grades: [],
  letter: false,
  passed: false,
  completion: false,
  steps: false,
  learner: [],
  enrollment: [],
};

/** Returns which values from records and options the design of these inputs prints. */
export function usedParticulars(
  functions: IssuingDeps["functions"],
  { generationFunc, typeOptions, options, brand }: IssuanceInputs,
): SoughtParticulars {
  const generation = functions.generation(generationFunc);
  return soughtUnder(brandedOptions(generation, brand, typeOptions, options), generation);
}

/** Returns which values from records and options are printed under these options. */
export function soughtUnder(options: Options, generation: ConfigurableFunction): SoughtParticulars {
  const used = generation.particularsOf?.(pick(options, generation)) ?? NOTHING;
  const stated = gradingScaleIn(options);
  const isUsed = used.grade || (used.grades.length > 0 && stated?.name === "points");
  const scale = isUsed ? stated : undefined;
  const isOn = (...names: GradingScale["name"][]) => scale !== undefined && names.includes(scale.name);
  return {
    ...used,
    stated: { ...used.stated, ...(scale && { scale }) },
    letter: used.letter || isOn("german", "italian", "letter"),
    passed: used.passed || isOn("pass_fail"),
    usesPlatformTotal: options.use_platform_total === true,
  };
}

/**
 * Reads the design of a configuration, and keeps its assets unchanged until the transaction ends.
 * @throws Problem `invalid` if the generation function no longer exists; `failed-precondition` if an asset does not
 * exist or no longer fits its option
 */
export async function readDesign(
  transaction: Knex.Transaction,
  { functions, settings }: Pick<IssuingDeps, "functions" | "settings">,
  configurationId: number,
  inputs: IssuanceInputs & { readonly learningContextName: string },
): Promise<CredentialDesign> {
  const { learningContextKey, learningContextName, credentialType, generationFunc } = inputs;
  const { platformName } = settings;
  const shared = { learningContextName, credentialType, platformName };
  const generation = functions.generation(generationFunc);
  const options = brandedOptions(generation, inputs.brand, inputs.typeOptions, inputs.options);
  const own = pick(options, generation);
  const assets = await resolveAssets(transaction, assetsNamed(generation, options)).catch(
    asFailedPrecondition,
  );
  const checkTexts = await generation.textCheck?.(own, charactersBySlug(assets.values()));
  const used = soughtUnder(options, generation);
  const issuedAt = await readCreationTime(transaction);
  return {
    content: {
      configurationId,
      learningContextKey,
      learningContextName,
      credentialType,
      generationFunc,
      options,
      assets: Object.fromEntries([...assets].map(([slug, { sha256 }]) => [slug, sha256])),
      printSettings: frozenSettings(settings, learningContextKey, inputs.brand),
    },
    used,
    validUntil: () => endOfValidity(options, issuedAt, settings.timeZone),
    checkShared: () => checkTexts?.({ ...shared, userFullName: "", particulars: used.stated }),
    checkLearners: (learners) =>
      checkTexts?.({
        ...shared,
        userFullName: learners.map(({ userFullName }) => userFullName).join("\n"),
        particulars: together(learners),
      }),
  };
}

/** Turns an error about saved options that have become invalid into one that doesn't blame the caller's request. */
function asFailedPrecondition(error: unknown): never {
  if (!(error instanceof Problem) || error.kind !== "invalid") throw error;
  throw failedPrecondition(`Its configuration has to be corrected first: ${error.message}`, {
    cause: error,
  });
}

/** Reads the creation time of the credentials that this transaction inserts. */
export async function readCreationTime(transaction: Knex.Transaction): Promise<Date> {
  return queryValue<Date>(transaction, "select date_trunc('second', now()) as moment");
}

/** Joins the texts of several learners, one per line, so that they are checked together. */
function together(learners: readonly PrintedLearner[]): Particulars {
  const printed = learners.flatMap(({ particulars }) => (particulars === null ? [] : [particulars]));
  const [first = {}] = printed;
  if (printed.length <= 1) return first;
  const joined = (of: "learner" | "enrollment") => {
    const keys = new Set(printed.flatMap((each) => Object.keys(each[of] ?? {})));
    return Object.fromEntries(
      [...keys].map((key) => [key, printed.map((each) => each[of]?.[key] ?? "").join("\n")]),
    );
  };
  return {
    ...first,
    learner_id: printed.map(({ learner_id = "" }) => learner_id).join("\n"),
    learner: joined("learner"),
    enrollment: joined("enrollment"),
  };
}

function charactersBySlug(assets: Iterable<Asset>): ReadonlyMap<string, CharacterRanges> {
  return new Map([...assets].flatMap(({ slug, characters }) => (characters ? [[slug, characters]] : [])));
}
