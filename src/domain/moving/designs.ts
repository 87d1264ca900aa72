import { createHash } from "node:crypto";
import { Problem, quoted } from "#foundation/errors.js";
import { mergeOptions } from "#foundation/text/merge-options.js";
import { slugPattern } from "#foundation/text/slug.js";
import type { Database } from "#infrastructure/db/database.js";
import { COMMAND_LINE } from "#infrastructure/identity/actors.js";
import type { AssetKind } from "../assets/asset.js";
import { findAssets } from "../assets/asset-store.js";
import { assetsNamed } from "../configurations/asset-references.js";
import { listConfigurations } from "../configurations/configuration-store.js";
import type { NewCredentialType } from "../configurations/credential-type.js";
import type { AssetDeps } from "../configurations/manage-assets.js";
import { uploadAsset } from "../configurations/manage-assets.js";
import {
  type ConfigurationDeps,
  changeConfiguration,
  createConfiguration,
} from "../configurations/manage-configurations.js";
import { createType, functionsOf } from "../configurations/manage-types.js";
import { checkConfigurationOptions, checkTypeOptions, type Options } from "../configurations/options.js";
import { checkSchedule } from "../configurations/schedules/check-schedule.js";
import type { StatedSchedule } from "../configurations/schedules/schedule.js";
import { findSchedules } from "../configurations/schedules/schedule-store.js";
import { listTypes } from "../configurations/type-store.js";
import { parseLearningContextKey } from "../learners/learning-context-key.js";
import type { Export, ExportedAsset, ExportedSchedule } from "./export.js";
import { translateOptions } from "./translate-options.js";

export interface DesignDeps extends ConfigurationDeps {
  readonly assets: AssetDeps;
  /** Reads a file of the media folder. @throws Problem `invalid` */
  readFile(path: string): Promise<Buffer>;
}

/** How to import designs: the functions from the map file, and the option `--enable-schedules`. */
interface MappedDesigns {
  /** Names of functions in this service, by their names in the export. */
  readonly functions: Readonly<Record<string, string>>;
  /** Whether to enable schedules that are enabled in the other system. */
  readonly enablesSchedules: boolean;
}

/** Designs to create, in this order. Existing designs are not changed. */
export interface DesignPlan {
  readonly assets: readonly { readonly slug: string; readonly bytes: Buffer }[];
  readonly types: readonly NewCredentialType[];
  readonly configurations: readonly PlannedConfiguration[];
  /** Schedules for configurations that have none. They are created after all credentials are imported. */
  readonly schedules: readonly PlannedSchedule[];
  /** Differences from the other system. Each is a sentence. */
  readonly changes: readonly string[];
  /** Reasons why designs can't be imported. Each is a sentence. */
  readonly faults: readonly string[];
  /** Whether a configuration will be created for this context and type. */
  isPlanned(learningContextKey: string, credentialType: string): boolean;
}

interface PlannedConfiguration {
  readonly learningContextKey: string;
  readonly credentialType: string;
  readonly customOptions: Options;
}

interface PlannedSchedule {
  readonly learningContextKey: string;
  readonly credentialType: string;
  readonly schedule: StatedSchedule;
}

const UNLIMITED = 1_000_000;
const nameOf = (key: string, type: string) => `${key}\0${type}`;

/** Translates the designs of an export into a plan. Nothing is written. */
export async function planDesigns(
  deps: DesignDeps,
  exported: Export,
  options: MappedDesigns,
  signal: AbortSignal,
): Promise<DesignPlan> {
  const changes: string[] = [];
  const faults: string[] = [];
  const { uploads, ...assets } = await planAssets(deps, exported.assets, changes, signal);
  const storedDesigns = await readExistingDesigns(deps.database);
  const planning = { functions: deps.functions, options, ...assets, storedDesigns, changes, faults };
  const newTypes = planTypes(exported, planning);
  const types = new Map([
    ...storedDesigns.types,
    ...newTypes.map((type): [string, NewCredentialType] => [type.name, type]),
  ]);
  const { configurations, schedules } = planConfigurations(exported, types, planning);
  const planned = new Set(configurations.map((each) => nameOf(each.learningContextKey, each.credentialType)));
  return {
    assets: uploads,
    types: newTypes,
    configurations,
    schedules,
    changes,
    faults,
    isPlanned: (key, type) => planned.has(nameOf(key, type)),
  };
}

/** What plans of types and configurations share. */
interface Planning {
  readonly functions: DesignDeps["functions"];
  readonly options: MappedDesigns;
  /** Slugs of assets in this service, by their slugs in the export. */
  readonly slugs: ReadonlyMap<string, string>;
  readonly kinds: ReadonlyMap<string, AssetKind>;
  readonly storedDesigns: Awaited<ReturnType<typeof readExistingDesigns>>;
  /** Receives the differences from the other system. */
  readonly changes: string[];
  /** Receives the reasons why designs can't be imported. */
  readonly faults: string[];
}

/** Translates the exported types that don't exist yet. */
function planTypes(exported: Export, planning: Planning): NewCredentialType[] {
  const { functions, options, slugs, kinds, storedDesigns, changes, faults } = planning;
  const newTypes: NewCredentialType[] = [];
  for (const exportedItem of exported.types) {
    const where = `Credential type ${quoted(exportedItem.name)}`;
    if (storedDesigns.types.has(exportedItem.name)) continue;
    const retrievalFunc = options.functions[exportedItem.retrievalFunc] ?? exportedItem.retrievalFunc;
    const generationFunc = options.functions[exportedItem.generationFunc] ?? exportedItem.generationFunc;
    const named = { name: exportedItem.name, retrievalFunc, generationFunc };
    try {
      const both = knownFunctions(functions, named);
      const translated = translateOptions(exportedItem.customOptions, { retrievalFunc, slugs }, true);
      const fits = (own: Options) => {
        checkTypeOptions(own, both);
        checkKinds(assetsNamed(both.generation, own), kinds);
      };
      const customOptions = validOptions(translated.options, fits, (what) =>
        changes.push(`${where}: ${what}.`),
      );
      changes.push(...translated.changes.map((what) => `${where}: ${what}.`));
      newTypes.push({ ...named, customOptions });
    } catch (error) {
      faults.push(`${where}: ${messageOf(error)}`);
    }
  }
  return newTypes;
}

/** @throws Error that says how to map functions, if this service doesn't have one of them */
function knownFunctions(...[functions, type]: Parameters<typeof functionsOf>) {
  try {
    return functionsOf(functions, type);
  } catch (error) {
    throw new Error(`${messageOf(error)} Name one of these functions under "functions" in the map.`);
  }
}

/**
 * Translates the exported configurations that this service doesn't have yet, and the exported schedules for
 * configurations that have no schedule.
 * @param types all types by name, including planned ones
 */
function planConfigurations(
  exported: Export,
  types: ReadonlyMap<string, NewCredentialType>,
  { functions, options, slugs, kinds, storedDesigns, changes, faults }: Planning,
): Pick<DesignPlan, "configurations" | "schedules"> {
  const configurations: PlannedConfiguration[] = [];
  const schedules: PlannedSchedule[] = [];
  for (const exportedItem of exported.configurations) {
    const { learningContextKey, credentialType } = exportedItem;
    const where = `Configuration of ${quoted(credentialType)} for ${learningContextKey}`;
    const existing = storedDesigns.configurations.get(nameOf(learningContextKey, credentialType));
    const type = types.get(credentialType);
    if (!type) {
      if (!exported.types.some(({ name }) => name === credentialType))
        faults.push(`${where}: its credential type is neither in the export nor in this service.`);
      continue; // otherwise, the fault of the type was already reported
    }
    try {
      if (existing === undefined) {
        const { kind, text } = parseLearningContextKey(learningContextKey);
        const { retrievalFunc } = type;
        const both = functionsOf(functions, type);
        const translated = translateOptions(exportedItem.customOptions, { retrievalFunc, slugs }, false);
        const fits = (own: Options) => {
          checkConfigurationOptions(type.customOptions, own, kind, both);
          checkKinds(assetsNamed(both.generation, mergeOptions(type.customOptions, own)), kinds);
        };
        const customOptions = validOptions(
          completed(translated.options, type, (what) => changes.push(`${where}: ${what}.`)),
          fits,
          (what) => changes.push(`${where}: ${what}.`),
        );
        changes.push(...translated.changes.map((what) => `${where}: ${what}.`));
        configurations.push({ learningContextKey: text, credentialType, customOptions });
      }
      if (exportedItem.schedule && !existing?.hasSchedule) {
        const schedule = planSchedule(exportedItem.schedule, options, (what) =>
          changes.push(`${where}: ${what}.`),
        );
        schedules.push({ learningContextKey, credentialType, schedule });
      }
    } catch (error) {
      faults.push(`${where}: ${messageOf(error)}`);
    }
  }
  return { configurations, schedules };
}

/** Creates the planned assets, types and configurations, but no schedules. */
export async function createDesigns(deps: DesignDeps, plan: DesignPlan, signal: AbortSignal): Promise<void> {
  const { database, functions } = deps;
  const editor = { actor: COMMAND_LINE, mayIssue: true, organisations: undefined };
  for (const asset of plan.assets)
    await uploadAsset(deps.assets, { ...asset, uploadedBy: COMMAND_LINE.name }, signal);
  for (const type of plan.types) await createType(database, functions, type, COMMAND_LINE, signal);
  const ids = new Map((await listTypes(database.knex, 0, UNLIMITED)).map(({ id, name }) => [name, id]));
  for (const { credentialType, ...configuration } of plan.configurations) {
    const credentialTypeId = ids.get(credentialType) ?? 0;
    await createConfiguration(deps, { ...configuration, credentialTypeId, claim: "never" }, editor, signal);
  }
}

export async function createSchedules(
  deps: DesignDeps,
  schedules: DesignPlan["schedules"],
  signal: AbortSignal,
): Promise<void> {
  const editor = { actor: COMMAND_LINE, mayIssue: true, organisations: undefined };
  const { configurations } = await readExistingDesigns(deps.database);
  for (const { learningContextKey, credentialType, schedule } of schedules) {
    const stored = configurations.get(nameOf(learningContextKey, credentialType));
    if (!stored) continue;
    const stated = { id: stored.id, learningContextKey: "", credentialTypeId: 0 };
    await changeConfiguration(deps, stated, { schedule }, editor, signal);
  }
}

async function readExistingDesigns({ knex }: Database) {
  const types = await listTypes(knex, 0, UNLIMITED);
  const names = new Map(types.map(({ id, name }) => [id, name]));
  const filter = { learningContextKey: "", credentialTypeId: 0 };
  const configurations = await listConfigurations(knex, filter, 0, UNLIMITED);
  const scheduled = await findSchedules(
    knex,
    configurations.map(({ id }) => id),
  );
  return {
    types: new Map(types.map((type) => [type.name, type])),
    configurations: new Map(
      configurations.map(({ id, learningContextKey, credentialTypeId }) => [
        nameOf(learningContextKey, names.get(credentialTypeId) ?? ""),
        { id, hasSchedule: scheduled.has(id) },
      ]),
    ),
  };
}

/** Returns the options. If they are invalid, returns only the options for eligibility. */
function validOptions(
  options: Options,
  check: (options: Options) => void,
  change: (what: string) => void,
): Options {
  try {
    check(options);
    return options;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { template, template_multiline, defaults, text_elements, ...requirements } = options;
    check(requirements);
    change(`its design is left out, and the built-in one is used: ${error.message.replace(/\.$/, "")}`);
    return requirements;
  }
}

/** If a type has no requirements, requires a total of 100 %. The plug-in issues nothing for such a type. */
function completed(options: Options, type: NewCredentialType, change: (what: string) => void): Options {
  const needsGrades = type.retrievalFunc.includes("grades");
  const { required_grades, steps } = mergeOptions(type.customOptions, options);
  if (!needsGrades || required_grades !== undefined || steps !== undefined) return options;
  change('required_grades is missing: it is now {"Total": 1}; state what is required');
  return { ...options, required_grades: { Total: 1 } };
}

/** @throws Problem `invalid` for an asset of the wrong kind */
function checkKinds(references: ReturnType<typeof assetsNamed>, kinds: ReadonlyMap<string, AssetKind>): void {
  for (const { slug, kinds: allowed, option } of references) {
    const kind = kinds.get(slug);
    if (kind !== undefined && !allowed.includes(kind))
      throw new Problem("invalid", `${option} names the asset ${slug}, whose kind is ${kind}.`);
  }
}

/** Reads the assets that this service doesn't have, and assigns them slugs. */
async function planAssets(
  { database, assets, readFile }: DesignDeps,
  exported: readonly ExportedAsset[],
  changes: string[],
  signal: AbortSignal,
) {
  const slugs = new Map<string, string>();
  const kinds = new Map<string, AssetKind>();
  const uploads: { slug: string; bytes: Buffer }[] = [];
  for (const { slug: exportedItem, path } of exported) {
    const slug = slugOf(exportedItem);
    const where = `Asset ${quoted(exportedItem)}`;
    if ([...slugs.values()].includes(slug)) {
      changes.push(`${where} is left out: another asset is named ${slug}, too.`);
      continue;
    }
    try {
      const bytes = await readFile(path);
      const { kind } = await assets.inspectAsset(bytes, signal);
      const [storedAsset] = await findAssets(database.knex, [slug]);
      slugs.set(exportedItem, slug);
      kinds.set(slug, storedAsset?.kind ?? kind);
      if (slug !== exportedItem) changes.push(`${where} is now named ${slug}.`);
      if (!storedAsset) uploads.push({ slug, bytes });
      else if (storedAsset.sha256 !== createHash("sha256").update(bytes).digest("hex"))
        changes.push(`${where} is left out: ${slug} already exists with a different file.`);
    } catch (error) {
      changes.push(`${where} is left out: ${messageOf(error)}`);
    }
  }
  return { slugs, kinds, uploads };
}

function slugOf(exportedItem: string): string {
  if (slugPattern.test(exportedItem)) return exportedItem;
  const slug = exportedItem
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/^[-_]+/, "")
    .slice(0, 100);
  return slugPattern.test(slug)
    ? slug
    : `asset-${createHash("sha256").update(exportedItem).digest("hex").slice(0, 8)}`;
}

function planSchedule(
  { changes, ...stated }: ExportedSchedule,
  { enablesSchedules }: MappedDesigns,
  change: (what: string) => void,
): StatedSchedule {
  for (const what of changes) change(`the schedule ${what}`);
  const hasEnded = stated.endAt !== null && stated.endAt <= new Date();
  const isOver =
    hasEnded || (stated.recurrence.kind === "once" && (stated.startAt ?? new Date()) <= new Date());
  if (stated.isEnabled && isOver) change("the schedule is off: its time is over");
  else if (stated.isEnabled && !enablesSchedules)
    change("the schedule is off until you enable it in the console, or import with --enable-schedules");
  const schedule = { ...stated, isEnabled: stated.isEnabled && enablesSchedules && !isOver };
  try {
    return checkSchedule(schedule);
  } catch (error) {
    change(`the schedule is off, and every 10 days: ${messageOf(error).replace(/\.$/, "")}`);
    return {
      isEnabled: false,
      recurrence: { kind: "interval", days: 10 },
      timeZone: "",
      startAt: null,
      endAt: null,
    };
  }
}

function messageOf(error: unknown): string {
  if (error instanceof Problem) return error.message;
  throw error;
}
