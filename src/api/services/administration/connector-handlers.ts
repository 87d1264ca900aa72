import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Connector } from "#domain/connectors/connector.js";
import type { ManagingDeps } from "#domain/connectors/manage-connectors.js";
import { nextSweep } from "#domain/connectors/run-due.js";
import { type ConnectorStatus, readStatus } from "#domain/connectors/status.js";
import type { SweepTally } from "#domain/connectors/sweep/sweep-store.js";
import type { LtiObstacle } from "#domain/lti/lti.js";
import {
  type AdministrationService,
  type ConnectorSchema,
  LtiObstacle as LtiObstacleMessage,
  SweepState,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { type Database, inSnapshot } from "#infrastructure/db/database.js";
import type { Config } from "#runtime/settings/config.js";
import type { Handlers } from "../../pipeline/handlers.js";
import { numbersByName } from "../requests/parse-enum.js";

/** Maximum number of problems, and of unlisted courses, in a response. */
const MAX_LISTED = 100;

const presentedLtiObstacle = numbersByName(LtiObstacleMessage);

export const presentedSweepStates = numbersByName(SweepState);

export function connectorHandlers(
  database: Database,
  { connectors, stored }: Pick<ManagingDeps, "connectors" | "stored">,
  { timeZone }: Pick<Config, "timeZone">,
  ltiObstacle: LtiObstacle | undefined,
) {
  return {
    async listConnectors(_, { signal }) {
      const { usable, unusable, overridden } = await connectors.list();
      const statuses = await inSnapshot(database, signal, async (transaction) => {
        const read: ConnectorStatus[] = [];
        for (const { settings } of usable) read.push(await readStatus(transaction, settings.id));
        return read;
      });
      return {
        connectors: [
          ...statuses.map((status, index) => {
            const connector = usable[index] as Connector;
            const overridesStored = overridden.includes(connector.settings.id);
            return { ...present(connector, status, timeZone), overridesStored };
          }),
          ...unusable.map((connector) => ({ ...connector, isStored: true })),
        ],
        hasLti: ltiObstacle === undefined,
        ...(ltiObstacle && { ltiObstacle: presentedLtiObstacle[ltiObstacle] }),
        canStoreSecrets: stored.canStoreSecrets,
      };
    },
  } satisfies Partial<Handlers<typeof AdministrationService>>;
}

function present(
  { settings }: Connector,
  status: ConnectorStatus,
  timeZone: string,
): MessageInitShape<typeof ConnectorSchema> {
  const { last, complete, pause, failures, withheld } = status;
  const next = settings.isEnabled ? nextSweep(settings, last, timeZone) : undefined;
  return {
    id: settings.id,
    type: settings.driver.name,
    baseUrl: settings.base_url,
    sweep: settings.sweep,
    timeZone: settings.time_zone ?? timeZone,
    ...(last && {
      lastSweep: {
        state: presentedSweepStates[last.state],
        cause: last.cause,
        reason: last.reason,
        startTime: timestampFromDate(last.startedAt),
        ...(last.finishedAt && { endTime: timestampFromDate(last.finishedAt) }),
        counts: presentTally(last.tally),
        stages: [...status.stages],
      },
    }),
    ...(complete && { completeSweepTime: timestampFromDate(complete.startedAt) }),
    ...(next && { nextSweepTime: timestampFromDate(next) }),
    ...(pause?.until && { pauseEndTime: timestampFromDate(pause.until), pauseReason: pause.reason }),
    problems: presentProblems(
      failures,
      withheld.map(({ scope, error }) => ({ scope, reason: error })),
    ),
    learningContextCount: status.contexts,
    incompleteContextCount: status.incomplete,
    unlistedContexts: status.unlisted.slice(0, MAX_LISTED),
    hintCount: status.hints,
    hintOverdueSeconds: status.overdue,
    clashCount: status.clashes.count,
    isStored: settings.isStored,
    isOff: !settings.isEnabled,
    renamedCount: status.renamed.length + status.taken.length,
  };
}

export function presentTally(tally: SweepTally) {
  return Object.entries(tally).map(([name, count]) => ({ name, count }));
}

/** Lists the failures, followed by data that is not available yet. */
export function presentProblems(
  failures: readonly { readonly stage: string; readonly scope: string; readonly error: string }[],
  withheld: readonly { readonly scope: string; readonly reason: string }[],
) {
  return [
    ...failures.map(({ stage, scope, error }) => ({ stage, learningContextKey: scope, problem: error })),
    ...withheld.map(({ scope, reason }) => ({
      learningContextKey: scope,
      problem: reason,
      isWithheld: true,
    })),
  ].slice(0, MAX_LISTED);
}
