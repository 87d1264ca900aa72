import type { Logger } from "pino";
import type { Database } from "#infrastructure/db/database.js";
import { coursePattern, pathPattern } from "../../learners/learning-context-key.js";
import type { ConnectorSettings } from "../driver/connector-settings.js";
import type { Scope, Source, Stage } from "../driver/driver.js";
import type { Cost, PoliteClient } from "../driver/polite-client.js";
import { createInclusion } from "./inclusion.js";
import { createLedger, type Ledger } from "./ledger.js";
import type { Storage } from "./storage.js";
import { beginOrResume, listConfigured, readStages, type StageRow } from "./sweep-store.js";

export interface SweepDeps {
  readonly database: Database;
  readonly log: Logger;
  readonly settings: ConnectorSettings;
  readonly source: Source;
  readonly http: Pick<PoliteClient, "baseUrl" | "cost">;
}

export interface SweepOptions {
  /** If true, nothing is written. */
  readonly dryRun?: boolean;
  /** Whether the sweep may withdraw more enrolments than the limit. */
  readonly acceptsWithdrawals?: boolean;
  /** What started the sweep, for example `schedule`. */
  readonly cause: string;
  readonly onPage?: (progress: SweepProgress) => void;
}

export interface SweepProgress {
  readonly stage: string;
  /** Number of completed courses or paths of the stage. `of` is the total number. */
  readonly done: number;
  readonly of: number;
  readonly pages: number;
  readonly cost: Cost;
}

export interface SweepFailure {
  readonly stage: string;
  readonly scope: string;
  readonly error: string;
}

/** The scope of stages that read the whole platform. */
export const PLATFORM_SCOPE: Scope = { contextKey: "", externalId: "", displayName: "" };

export interface Sweep extends SweepDeps {
  readonly id: string;
  readonly startedAt: Date;
  readonly options: SweepOptions;
  readonly storage: Storage;
  readonly signal: AbortSignal;
  readonly ledger: Ledger;
  readonly included: ReturnType<typeof createInclusion>;
  readonly stages: Map<string, StageRow>;
  readonly failures: SweepFailure[];
  /** Courses and paths with a failed stage. */
  readonly broken: Set<string>;
  /** Contexts that the platform lists. Undefined until they are requested; a resumed sweep may never request them. */
  listed: string[] | undefined;
}

export async function openSweep(
  deps: SweepDeps,
  options: SweepOptions,
  storage: Storage,
  signal: AbortSignal,
): Promise<Sweep> {
  const { settings } = deps;
  const { query } = storage;
  const row = await query((db) => beginOrResume(db, settings.id, options.cause));
  const rows = await query((db) => readStages(db, row.id));
  const included = createInclusion(settings, await query(listConfigured));
  const checking = { storage, connector: settings.id, isIncluded: included.holds };
  const ledger = createLedger(checking, row.id, { ...row.tally });
  return {
    ...deps,
    id: row.id,
    startedAt: row.startedAt,
    options,
    storage,
    signal,
    ledger,
    included,
    stages: new Map(rows.map((each) => [keyOf(each.stage, each.scope), each])),
    failures: [],
    broken: new Set(),
    listed: undefined,
  };
}

/** @param contextKey empty for a stage that reads the whole platform */
export function progressOf(
  { stages }: Pick<Sweep, "stages">,
  stage: string,
  contextKey: string,
): StageRow | undefined {
  return stages.get(keyOf(stage, contextKey));
}

export function noteProgress({ stages }: Pick<Sweep, "stages">, row: StageRow): void {
  stages.set(keyOf(row.stage, row.scope), row);
}

function keyOf(stage: string, scope: string): string {
  return `${stage}\n${scope}`;
}

/** Returns the courses or paths that a stage reads. For a stage that reads the whole platform, returns `PLATFORM_SCOPE`. */
export async function scopesOf({ ledger, included, broken }: Sweep, { each }: Stage): Promise<Scope[]> {
  if (each === "sweep") return [PLATFORM_SCOPE];
  const pattern = each === "course" ? coursePattern : pathPattern;
  return (await ledger.contexts()).filter(
    ({ contextKey }) => pattern.test(contextKey) && included.holds(contextKey) && !broken.has(contextKey),
  );
}
