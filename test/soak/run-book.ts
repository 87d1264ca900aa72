import { type IssuanceRun, IssuanceRunState } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import type { Span } from "./history.js";
import { wrong } from "./wrong-answer.js";

interface KnownRun {
  readonly configurationId: number;
  readonly issuedCount: number;
  /** Each increase of the number of available credentials, and the time when it became known. */
  readonly floors: { at: number; available: number }[];
  completeBy: number;
}

/** The knowledge about the runs that were started. Their counts only grow, and no credential fails. */
export interface RunBook {
  readonly ids: readonly string[];
  see(run: IssuanceRun, span: Span): void;
  /** Judges a list of runs, newest first. Unless it is full, it must contain all runs known before. */
  seeList(runs: readonly IssuanceRun[], isFull: boolean, span: Span): void;
}

export function createRunBook(): RunBook {
  const runs = new Map<string, KnownRun & { thereBy: number }>();
  const ids: string[] = [];

  function see(run: IssuanceRun, { from, to }: Span): void {
    const { id, configurationId, issuedCount, availableCount, generatingCount, failedCount } = run;
    const isComplete = run.state === IssuanceRunState.COMPLETE;
    const known = runs.get(id) ?? {
      configurationId,
      issuedCount,
      floors: [],
      completeBy: Number.POSITIVE_INFINITY,
      thereBy: to,
    };
    if (!runs.has(id)) {
      runs.set(id, known);
      ids.push(id);
    }
    if (known.configurationId !== configurationId || known.issuedCount !== issuedCount)
      wrong(`run ${id} has issued ${known.issuedCount} under ${known.configurationId}`);
    if (failedCount !== 0) wrong(`${failedCount} have failed`);
    if (availableCount + generatingCount + failedCount !== issuedCount)
      wrong("the counts do not make up the whole");
    if (!isComplete && run.state !== IssuanceRunState.RUNNING) wrong("nobody has cancelled it");
    if (isComplete && generatingCount > 0) wrong("it is complete, and something is generating");
    if (!isComplete && known.completeBy <= from) wrong("it was complete before");
    const floor = known.floors.findLast((each) => each.at <= from)?.available ?? 0;
    if (availableCount < floor) wrong(`${floor} were available before`);
    if (availableCount > (known.floors.at(-1)?.available ?? -1))
      known.floors.push({ at: to, available: availableCount });
    if (isComplete) known.completeBy = Math.min(known.completeBy, to);
  }

  return {
    ids,
    see,
    seeList(listed, isFull, span) {
      for (const run of listed) see(run, span);
      const shown = new Set(listed.map(({ id }) => id));
      if (shown.size < listed.length) wrong("a run is listed twice");
      const missing = [...runs].find(([id, { thereBy }]) => thereBy <= span.from && !shown.has(id));
      if (missing && !isFull) wrong(`run ${missing[0]} is missing`);
    },
  };
}
