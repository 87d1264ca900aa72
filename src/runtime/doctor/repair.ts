import { sealEvents } from "#domain/credentials/events/seal-events.js";
import type { GenerationDeps } from "#domain/credentials/generation/generate-credential.js";
import { endDoneRuns } from "#domain/credentials/runs/end-done-runs.js";
import { statusSql } from "#foundation/credential-status.js";
import { execute } from "#infrastructure/db/query.js";
import { enqueueEach } from "#infrastructure/jobs/enqueue.js";
import { jobsOf } from "#infrastructure/jobs/queue-store.js";
import type { Finding, FindingKind } from "./finding.js";
import { isOwnStore } from "./is-own-store.js";
import { namedFiles } from "./named-files.js";
import { quarantineFile } from "./quarantine-file.js";
import { repairFile } from "./repair-file.js";
import type { RepairOutcome } from "./repair-outcome.js";

const { isGenerating } = statusSql();

const SEAL_BATCH = 5000;

/** Kinds of findings that can be repaired if the individual case is safe. */
const REPAIRABLE = [
  "missing-file",
  "damaged-file",
  "missing-kept-file",
  "still-public",
  "lost-move",
  "erased-file",
  "orphaned-file",
  "stray-file",
  "abandoned-draft",
  "lost-generation",
  "stalled-run",
  "unsealed-events",
] as const satisfies readonly FindingKind[];

type RepairableKind = (typeof REPAIRABLE)[number];

export function isRepairable(kind: FindingKind): kind is RepairableKind {
  return (REPAIRABLE as readonly FindingKind[]).includes(kind);
}

/** Repairs a finding if that is safe. */
export type Repair = (finding: Finding) => Promise<RepairOutcome>;

/**
 * Creates the function that repairs findings. It deletes nothing that the database refers to. Repairs can be repeated
 * and can run while the service is running.
 */
export function createRepair(deps: GenerationDeps): Repair {
  const { database, files } = deps;
  const { knex } = database;
  let isOurStore: Promise<boolean> | undefined;

  async function deleteUnnamed({ fileKey = "" }: Finding): Promise<RepairOutcome> {
    const named = await namedFiles(knex, [fileKey]);
    if (named.has(fileKey)) return { because: "the file is now in use" };
    await files.delete(fileKey);
    return "repaired";
  }

  async function deleteStray(finding: Finding): Promise<RepairOutcome> {
    isOurStore ??= isOwnStore(deps);
    if (await isOurStore) return deleteUnnamed(finding);
    return { because: "most of the files are unknown to this database: check that the store belongs to it" };
  }

  async function deleteDraft({ fileKey = "" }: Finding): Promise<RepairOutcome> {
    await files.deleteDraft(fileKey);
    return "repaired";
  }

  async function enqueueGeneration({ credentialUuid = "" }: Finding): Promise<RepairOutcome> {
    const job = `select json_build_object('credentialId', id) as payload from credentials
      where uuid = ?::uuid and ${isGenerating}
        and not exists (
          select from ${jobsOf("generate_credential")} and (job.payload->>'credentialId')::bigint = credentials.id
        )`;
    await execute(knex, enqueueEach("generate_credential", job), [credentialUuid]);
    return "repaired";
  }

  async function sealAll(): Promise<RepairOutcome> {
    for (let sealed = SEAL_BATCH; sealed > 0; ) sealed = await sealEvents(knex, SEAL_BATCH);
    return "repaired";
  }

  async function endRuns(): Promise<RepairOutcome> {
    await endDoneRuns(database);
    return "repaired";
  }

  const remake = (finding: Finding) => repairFile(deps, finding);
  const hide = (finding: Finding) => quarantineFile(deps, finding);
  const repairs: Record<RepairableKind, Repair> = {
    "missing-file": remake,
    "damaged-file": remake,
    "missing-kept-file": remake,
    "still-public": hide,
    "lost-move": hide,
    "erased-file": deleteUnnamed,
    "orphaned-file": deleteUnnamed,
    "stray-file": deleteStray,
    "abandoned-draft": deleteDraft,
    "lost-generation": enqueueGeneration,
    "stalled-run": endRuns,
    "unsealed-events": sealAll,
  };
  return async (finding) => {
    const { kind } = finding;
    return isRepairable(kind)
      ? repairs[kind](finding)
      : { because: "someone who knows the correct data must decide" };
  };
}
