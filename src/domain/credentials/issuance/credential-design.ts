import type { CharacterRanges, Particulars, UsedParticulars } from "#formats/rendering/generator.js";
import { failedPrecondition, Problem } from "#foundation/errors.js";
import type { GradingScale } from "#foundation/text/grading-scale.js";
import { isObject } from "#foundation/text/is-object.js";
import { type Knex, queryValue } from "#infrastructure/db/query.js";
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
import type { RequestedParticulars } from "./particulars.js";

/** Content and appearance that all credentials under a configuration share. */
export type CredentialContent = Omit<SharedColumns, "issuedBy" | "runId" | "skipsEmail">;

export type PrintedLearner = Pick<LearnerColumns, "userFullName" | "particulars">;

/** Shared content, with functions that check whether its texts can be printed. */
interface CredentialDesign {
  readonly content: CredentialContent;
  /** The values from records and options that are printed. */
  readonly used: RequestedParticulars;
  /**
   * Returns when the validity of a credential issued in this transaction ends, or null if it never ends.
   * @throws Problem `failed-precondition` if the last day has passed
   */
  validUntil(): Date | null;
  /** @throws Problem `failed-precondition` naming a character of the shared texts that no font of the design has */
  checkShared(): void;
  /** Like `checkShared`, for the texts of these learners. @throws Problem `failed-precondition` */
  checkLearners(learners: readonly PrintedLearner[]): void;
}

const NO_PARTICULARS: UsedParticulars = {
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

export function usedParticulars(
  functions: IssuingDeps["functions"],
  { generationFunc, typeOptions, options, brand }: IssuanceInputs,
): RequestedParticulars {
  const generation = functions.generation(generationFunc);
  return requestedParticulars(brandedOptions(generation, brand, typeOptions, options), generation);
}

/** Returns the values from records and options that are printed under these options. */
export function requestedParticulars(
  options: Options,
  generation: ConfigurableFunction,
): RequestedParticulars {
  const used = generation.particularsOf?.(pick(options, generation)) ?? NO_PARTICULARS;
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
 * Reads the design of a configuration, and locks its assets until the transaction ends.
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
  const used = requestedParticulars(options, generation);
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
        particulars: joinedParticulars(learners),
      }),
  };
}

/** Converts the error about a saved option that has become invalid, because the request itself is not at fault. */
function asFailedPrecondition(error: unknown): never {
  if (!(error instanceof Problem) || error.kind !== "invalid") throw error;
  throw failedPrecondition(`The credential's configuration must be corrected first: ${error.message}`, {
    cause: error,
  });
}

/** Returns the creation time of credentials that this transaction inserts. */
export async function readCreationTime(transaction: Knex.Transaction): Promise<Date> {
  return queryValue<Date>(transaction, "select date_trunc('second', now()) as moment");
}

/** Joins the texts of several learners, one per line and without duplicates, to check them together. */
function joinedParticulars(learners: readonly PrintedLearner[]): Particulars {
  return joined(learners.flatMap(({ particulars }) => particulars ?? []));
}

function joined<T extends object>(records: readonly T[]): T {
  const keys = new Set(records.flatMap((record) => Object.keys(record) as (keyof T)[]));
  const entries = [...keys].map((key) => {
    const values = [...new Set(records.flatMap((record) => record[key] ?? []))];
    if (values.every((value) => typeof value === "string")) return [key, values.join("\n")];
    return [key, values.every((value) => isObject(value)) ? joined(values) : values[0]];
  });
  return Object.fromEntries(entries);
}

function charactersBySlug(assets: Iterable<Asset>): ReadonlyMap<string, CharacterRanges> {
  return new Map([...assets].flatMap(({ slug, characters }) => (characters ? [[slug, characters]] : [])));
}
