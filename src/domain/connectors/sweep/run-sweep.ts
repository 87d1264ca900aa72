import type { Logger } from "pino";
import { Problem } from "#foundation/errors.js";
import type { Database } from "#infrastructure/db/database.js";
import { CONNECTOR } from "#infrastructure/identity/actors.js";
import { eraseLearner } from "../../credentials/erasure/erase-learner.js";
import { findErased } from "../../learners/erased-learners.js";
import { coursePattern, pathPattern } from "../../learners/learning-context-key.js";
import { findOwnedElsewhere, ownerOf } from "../../learners/owners.js";
import type { ParsePlainRecord } from "../../learners/plain-record.js";
import { type ConnectorSettings, fits } from "../driver/connector-settings.js";
import type { Page, Scope, Source, Stage } from "../driver/driver.js";
import type { Cost, PoliteClient } from "../driver/polite-client.js";
import { PullError } from "../driver/pull-error.js";
import { findErasableBy, noteRetired } from "./clash-store.js";
import { forgetHintFailures } from "./hint-store.js";
import { createLedger } from "./ledger.js";
import { readPage } from "./read-page.js";
import { createStorage, inDryRun, type Storage } from "./storage.js";
import {
  beginOrResume,
  countReported,
  endSweep,
  isWithheld,
  listConfigured,
  listRead,
  noteComplete,
  noteExcluded,
  noteUnlisted,
  readStages,
  removeOldSweeps,
  type StageRow,
  type SweepState,
  saveStage,
  type Tally,
} from "./sweep-store.js";

/** Everything that a sweep needs. */
export interface SweepDeps {
  readonly database: Database;
  readonly log: Logger;
  readonly parse: ParsePlainRecord;
  readonly settings: ConnectorSettings;
  readonly source: Source;
  readonly http: Pick<PoliteClient, "baseUrl" | "cost">;
}

export interface SweepOptions {
  /** If true, nothing is written. */
  readonly dryRun?: boolean;
  /** Whether the sweep may withdraw more enrolments than the limit. */
  readonly acceptsWithdrawals?: boolean;
  /** Why the sweep runs, for example `schedule`. */
  readonly cause: string;
  /** Called after every page. */
  readonly onPage?: (progress: SweepProgress) => void;
}

export interface SweepProgress {
  readonly stage: string;
  /** Numbers of completed and of all courses or paths of the stage. */
  readonly done: number;
  readonly of: number;
  readonly pages: number;
  readonly cost: Cost;
}

export interface SweepReport {
  readonly state: SweepState;
  /** Why the sweep ended in this state. */
  readonly reason: string;
  readonly tally: Tally;
  /** Errors, by stage and course. */
  readonly failures: readonly { readonly stage: string; readonly scope: string; readonly error: string }[];
  /** Facts that are not known yet, by course. */
  readonly withheld: readonly { readonly scope: string; readonly reason: string }[];
  /** Number of enrolments not withdrawn because there were more than the limit. */
  readonly held: number;
  /** Cost of the requests. After an interruption, only those since the sweep resumed. */
  readonly cost: Cost;
}

/** The scope of a stage that reads the platform as a whole. */
export const WHOLE: Scope = { contextKey: "", externalId: "", displayName: "" };

/** Up to this number, withdrawals are never held back. */
const ALWAYS_WITHDRAWN = 5;

/**
 * Reads a whole platform, or resumes an interrupted sweep. Writes only changes, and withdraws only enrolments that this
 * connector reported itself, based on lists that were read completely.
 */
export function runSweep(deps: SweepDeps, options: SweepOptions, signal: AbortSignal): Promise<SweepReport> {
  const { database, settings } = deps;
  return options.dryRun
    ? inDryRun(database, settings.id, signal, (storage) => sweep(deps, options, storage, signal))
    : sweep(deps, options, createStorage(database, signal), signal);
}

async function sweep(
  deps: SweepDeps,
  options: SweepOptions,
  storage: Storage,
  signal: AbortSignal,
): Promise<SweepReport> {
  const { database, settings } = deps;
  const { query } = storage;
  const connector = settings.id;
  const row = await query((db) => beginOrResume(db, connector, options.cause));
  const { startedAt } = row;
  const stages = new Map<string, StageRow>();
  for (const stage of await query((db) => readStages(db, row.id))) stages.set(keyOf(stage), stage);
  const included = createInclusion(settings, await query(listConfigured));
  const checking = { storage, connector, parse: deps.parse, isIncluded: included.holds };
  const ledger = createLedger(checking, row.id, { ...row.tally });
  const failures: SweepReport["failures"][number][] = [];
  const broken = new Set<string>();
  /** Courses and paths listed by the platform, and whether it was queried: a resumed sweep may not query it again. */
  const listed: string[] = [];
  let hasListed = false;

  const save = async (stage: StageRow) => {
    stages.set(keyOf(stage), stage);
    await query((db) => saveStage(db, row.id, stage));
  };
  const fail = async (stage: StageRow, error: PullError) => {
    await save({ ...stage, state: "failed", error: error.message });
    failures.push({ stage: stage.stage, scope: stage.scope, error: error.message });
  };

  async function sweepScope(stage: Stage, scope: Scope, onPage: () => void): Promise<void> {
    const at = { stage: stage.name, scope: scope.contextKey };
    let state: StageRow = stages.get(keyOf(at)) ?? {
      ...at,
      state: "open",
      cursor: null,
      pages: 0,
      error: "",
    };
    if (state.state === "complete") return;
    state = { ...state, state: "open", error: state.state === "open" ? state.error : "" };
    let hasRestarted = false;
    const seen = new Set<string>();
    while (state.state === "open") {
      signal.throwIfAborted();
      let page: Page;
      try {
        page = await readPage(stage, state, scope, ledger);
        if (page.next !== null && seen.has(page.next))
          throw new PullError("invalid", `${stage.name}: its pages lead in a circle`);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof PullError)) throw error;
        if (error.fault === "auth" || error.fault === "clock") throw error;
        // A restart of the platform may have made the cursor invalid, so the stage starts over, once.
        const isLost = state.cursor !== null && (error.status === 404 || error.status === 400);
        if (isLost && !hasRestarted) {
          hasRestarted = true;
          seen.clear();
          state = { ...state, cursor: null, error: "" };
          continue;
        }
        await fail(state, error);
        if (stage.each !== "sweep") {
          if (!stage.isOptional) broken.add(scope.contextKey);
          return;
        }
        if (stage.isOptional) return;
        throw error;
      }
      if (page.next !== null) seen.add(page.next);
      for (const { contextKey } of page.contexts ?? []) listed.push(contextKey);
      hasListed ||= page.contexts !== undefined;
      await eraseGone(page);
      state = {
        ...state,
        cursor: page.next,
        pages: state.pages + 1,
        state: page.next === null ? "complete" : "open",
        error: page.withheld ?? state.error,
      };
      await ledger.commit(page, state, scope);
      stages.set(keyOf(state), state);
      onPage();
    }
  }

  /** Erases the learners whom the platform has retired, once for each retirement. */
  async function eraseGone(page: Page): Promise<void> {
    const gone = settings.erase === "retired" ? (page.gone ?? []) : [];
    if (gone.length === 0) return;
    const names = gone.map(({ username }) => username);
    const erased = await query((db) => findErased(db, names));
    const erasable = await query((db) => findErasableBy(db, connector, names));
    for (const { username, since } of gone) {
      const at = erased.get(username);
      if (at !== undefined && new Date(at) >= since) continue;
      if (!erasable.has(username)) {
        await refuseErasure(username);
        continue;
      }
      const isErased = await erase(database, username, options.dryRun ?? false, signal);
      await storage.forget(username);
      if (isErased) ledger.tally.retired = (ledger.tally.retired ?? 0) + 1;
    }
  }

  /** Records that a learner was not erased because the record belongs to another source. */
  async function refuseErasure(username: string): Promise<void> {
    const [owned] = await query((db) => findOwnedElsewhere(db, ownerOf(connector), [username]));
    if (!owned) return; // the platform has reported nothing about the learner
    ledger.tally["learner.clashing"] = (ledger.tally["learner.clashing"] ?? 0) + 1;
    await query((db) => noteRetired(db, connector, username));
  }

  async function scopesOf(stage: Stage): Promise<Scope[]> {
    if (stage.each === "sweep") return [WHOLE];
    const pattern = stage.each === "course" ? coursePattern : pathPattern;
    const all = await ledger.contexts();
    return all.filter(
      ({ contextKey }) => pattern.test(contextKey) && included.holds(contextKey) && !broken.has(contextKey),
    );
  }

  async function sweepStages(): Promise<void> {
    let pages = 0;
    for (const stage of deps.source.stages) {
      const scopes = await scopesOf(stage);
      let done = 0;
      const tell = () =>
        options.onPage?.({
          stage: stage.name,
          done,
          of: scopes.length,
          pages: ++pages,
          cost: deps.http.cost(),
        });
      await inParallel(scopes, settings.concurrency, async (scope) => {
        await sweepScope(stage, scope, tell);
        done++;
      });
      if (stage.each === "sweep") included.set(await query(listConfigured));
    }
  }

  /** Withdraws enrolments that are absent from complete lists. @returns the number held back */
  async function withdraw(): Promise<number> {
    const lists = deps.source.stages.filter(({ listsEnrollments }) => listsEnrollments);
    const absent: { contextKey: string; username: string }[] = [];
    const reportedCounts = await query((db) => countReported(db, connector));
    let held = 0;
    let total = 0;
    for (const stage of lists) {
      for (const { contextKey } of await scopesOf(stage)) {
        if (stages.get(keyOf({ stage: stage.name, scope: contextKey }))?.state !== "complete") continue;
        const names = await ledger.absent(contextKey);
        const known = reportedCounts.get(contextKey) ?? 0;
        total += known;
        // An empty list is more likely a fault of the platform.
        if (names.length > 0 && names.length >= known && known > 1 && !options.acceptsWithdrawals)
          held += names.length;
        else absent.push(...names.map((username) => ({ contextKey, username })));
      }
    }
    const { percent, count } = settings.withdraw_limit;
    const limit = Math.max(ALWAYS_WITHDRAWN, Math.min(count, (total * percent) / 100));
    if (absent.length > limit && !options.acceptsWithdrawals) return held + absent.length;
    const now = new Date();
    for (let start = 0; start < absent.length; start += 1000) {
      const part = absent.slice(start, start + 1000);
      const records = part.map(({ contextKey, username }) =>
        deps.parse({ kind: "enrollment", username, learningContextKey: contextKey, isActive: false }, now),
      );
      await ledger.write(records, { "enrollment.withdrawn": part.length });
    }
    return held;
  }

  /** A course is complete when every stage for it, and for the platform, is complete. */
  async function noteIfComplete(): Promise<void> {
    const completeContexts: string[] = [];
    for (const each of ["course", "path"] as const) {
      const needed = deps.source.stages.filter((stage) => stage.each === each);
      const [first] = needed;
      if (!first) continue;
      for (const { contextKey } of await scopesOf(first)) {
        const isComplete = needed.every((stage) => {
          const at = stages.get(keyOf({ stage: stage.name, scope: contextKey }))?.state;
          return at === "complete" || (stage.isOptional && at === "failed");
        });
        if (isComplete) completeContexts.push(contextKey);
      }
    }
    await query(async (db) => {
      await noteComplete(db, connector, completeContexts, startedAt, settings.fresh_within_hours);
      const excluded = (await listRead(db, connector)).filter((key) => !included.holds(key));
      await noteExcluded(db, connector, excluded);
      await noteUnlisted(db, connector, row.id);
    });
  }

  const end = async (state: SweepState, reason: string, held = 0): Promise<SweepReport> => {
    await query(async (db) => {
      await endSweep(db, row.id, state, reason, ledger.tally);
      await removeOldSweeps(db, connector);
      if (state === "complete") await forgetHintFailures(db, connector);
    });
    const withheld = [...stages.values()]
      .filter(isWithheld)
      .map(({ scope, error }) => ({ scope, reason: error }));
    return { state, reason, tally: ledger.tally, failures, withheld, held, cost: deps.http.cost() };
  };

  try {
    await sweepStages();
  } catch (error) {
    if (!(error instanceof PullError)) throw error;
    return end("failed", error.message);
  }
  const held = await withdraw();
  await noteIfComplete();
  const needed = failures.filter(({ scope }) => broken.has(scope));
  if (held > 0)
    return end("held", `${held} enrolments are no longer listed: too many to withdraw unasked.`, held);
  if (needed.length > 0) return end("partial", `${needed.length} courses or paths could not be read.`);
  const isEmpty = hasListed && !listed.some(included.holds);
  return end("complete", isEmpty ? whyNothing(settings, listed) : "");
}

/** Returns why no courses and paths are read, to explain to operators why a sweep completes immediately. */
function whyNothing({ courses }: Pick<ConnectorSettings, "courses">, listed: readonly string[]): string {
  const isIncluded = createInclusion({ courses }, listed).holds;
  const included = listed.filter(isIncluded);
  const example = included[0] ?? listed[0];
  if (example === undefined) return "Nothing was read: the platform lists no courses for this account.";
  if (included.length === 0)
    return `Nothing was read: courses.include and courses.exclude leave out all ${listed.length} courses of the platform, such as ${example}.`;
  return (
    `Nothing was read: none of the ${included.length} courses has a configured credential, such as ${example}. ` +
    "Configure a credential for one, or set courses.only_configured to false."
  );
}

/** @returns whether there was anything to erase */
async function erase(
  database: Database,
  username: string,
  dryRun: boolean,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await eraseLearner(database, { username, dryRun, erasedBy: CONNECTOR }, signal);
    return true;
  } catch (error) {
    if (error instanceof Problem && error.kind === "not-found") return false;
    throw error;
  }
}

function keyOf({ stage, scope }: { readonly stage: string; readonly scope: string }): string {
  return `${stage}\n${scope}`;
}

/** Decides which courses and paths are read. */
export function createInclusion(
  { courses }: Pick<ConnectorSettings, "courses">,
  configured: readonly string[],
) {
  let keys = new Set(configured);
  return {
    holds(key: string): boolean {
      if (key === "") return true;
      if (courses.only_configured && !keys.has(key)) return false;
      return (
        courses.include.some((pattern) => fits(key, pattern)) &&
        !courses.exclude.some((pattern) => fits(key, pattern))
      );
    },
    set(now: readonly string[]) {
      keys = new Set(now);
    },
  };
}

async function inParallel<T>(
  items: readonly T[],
  count: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = [...items];
  const run = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  const results = await Promise.allSettled(Array.from({ length: Math.min(count, items.length) }, run));
  const failed = results.find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}
