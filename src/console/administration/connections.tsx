import { useQuery } from "@connectrpc/connect-query";
import { useState } from "react";
import { textFor } from "#foundation/languages/message.js";
import {
  AdministrationService,
  type Connector,
  LtiObstacle,
  type Operation,
  OperationKind,
  type SweepCount,
  SweepState,
  type SyncResult,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { Button } from "../components/button.js";
import { Empty } from "../components/empty.js";
import { Fact } from "../components/fact.js";
import { Failure } from "../components/failure.js";
import { isolated } from "../components/isolated.js";
import { lazily } from "../components/lazily.js";
import { ListTable } from "../components/list-table.js";
import { StateMark } from "../components/status.js";
import { useChange } from "../components/use-change.js";
import { useChapter, useFormats, useList } from "../i18n/words.js";
import { CheckList } from "./check-list.js";
import { bad, good, waiting, warning } from "./looks.js";
import { isOpen, OperationLine, useOperation, useOperations } from "./operation.js";
import { Platforms } from "./platforms.js";
import { ProblemList } from "./problem-list.js";

const ConnectorDialog = lazily(() => import("./connector-dialog.js"), "ConnectorDialog");
const RemovalDialog = lazily(() => import("../components/removal-dialog.js"), "RemovalDialog");
const OperationDialog = lazily(() => import("./operation-dialog.js"), "OperationDialog");

const REFRESH_MS = 10_000;
const KINDS = [OperationKind.CHECK_CONNECTOR, OperationKind.PLAN_SYNC, OperationKind.SYNC];

/** The sources of records: connectors and LTI platforms. */
export function Connections() {
  const { connections: words } = useChapter("administration");
  const found = useQuery(AdministrationService.method.listConnectors, {}, { refetchInterval: REFRESH_MS });
  const operations = useOperations(KINDS);
  const connecting = useChapter("connecting");
  const [isConnecting, setConnecting] = useState(false);
  return (
    <>
      <p className="intro">{words.means}</p>
      <h2>{words.connectors}</h2>
      <div className="actions">
        <Button onPress={() => setConnecting(true)}>{connecting.connect}</Button>
      </div>
      {found.data?.canStoreSecrets === false && <p className="notice notice-warn">{connecting.noSecrets}</p>}
      {isConnecting && <ConnectorDialog id={undefined} onClose={() => setConnecting(false)} />}
      {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {found.data?.connectors.length === 0 && <Empty title={words.none} means={words.noneMeans} />}
      {found.data?.connectors.map((connector) => (
        <ConnectorCard
          key={connector.id}
          connector={connector}
          latest={operations.data?.operations.find((each) => each.connector === connector.id)}
        />
      ))}
      <h2>{words.platforms}</h2>
      {found.data?.hasLti && <Platforms connectors={found.data.connectors.map(({ id }) => id)} />}
      {found.data && !found.data.hasLti && (
        <p className="notice">{textFor(words.ltiOff, LtiObstacle[found.data.ltiObstacle] ?? "")}</p>
      )}
    </>
  );
}

function ConnectorCard({
  connector,
  latest,
}: {
  readonly connector: Connector;
  /** The latest operation on this connector that staff requested. */
  readonly latest: Operation | undefined;
}) {
  const { connections: words } = useChapter("administration");
  const { colon } = useFormats();
  const { types } = useChapter("connecting");
  const start = useChange(AdministrationService.method.startOperation);
  const list = useList();
  const { id, type } = connector;
  const button = (kind: OperationKind, label: string) => (
    <Button
      aria-label={`${label} ${id}`}
      isDisabled={start.isPending || (latest && isOpen(latest))}
      onPress={() => start.mutate({ kind, connector: id })}
    >
      {label}
    </Button>
  );
  return (
    <section className="card padded stack" aria-label={`${words.connectors}${colon}${id}`}>
      <h3>
        <bdi>{id}</bdi> <span className="faint">{textFor(types, type) ?? type}</span>
      </h3>
      <Origin of={connector} />
      <ConnectorFacts connector={connector} />
      <ProblemList of={connector.problems} />
      {connector.unlistedContexts.length > 0 && (
        <p>
          {words.unlisted}
          {colon}
          {list(connector.unlistedContexts.map(isolated))}
        </p>
      )}
      <div className="actions">
        {button(OperationKind.CHECK_CONNECTOR, words.check)}
        {button(OperationKind.PLAN_SYNC, words.plan)}
        {button(OperationKind.SYNC, words.sync)}
        {connector.isStored && <StoredActions of={connector} />}
      </div>
      {start.error && <Failure error={start.error} />}
      {latest && (
        <>
          <OperationLine
            operation={latest}
            label={textFor(words.operations, OperationKind[latest.kind]) ?? words.check}
          />
          <Outcome of={latest} />
        </>
      )}
    </section>
  );
}

/** Shows where the connector is configured and, if it can't be used, the reason. */
function Origin({
  of: { isStored, isOff, problem, overridesStored, lastSweep },
}: {
  readonly of: Connector;
}) {
  const words = useChapter("connecting");
  return (
    <>
      {!isStored && (
        <p className="small faint">
          {words.inFile} {overridesStored && words.overrides}
        </p>
      )}
      {isOff && (
        <p className="notice">
          {words.off}. {!lastSweep && words.nextSteps}
        </p>
      )}
      {problem !== "" && (
        <p className="notice notice-warn" lang="en" dir="ltr">
          {problem}
        </p>
      )}
    </>
  );
}

function StoredActions({ of: { id, isOff, problem } }: { readonly of: Connector }) {
  const words = useChapter("connecting");
  const { connections } = useChapter("administration");
  const [dialog, setDialog] = useState<"change" | "remove">();
  const settings = useQuery(AdministrationService.method.getConnectorSettings, { id }, { enabled: false });
  const update = useChange(AdministrationService.method.updateConnector);
  const close = () => setDialog(undefined);
  async function turn() {
    const { data } = await settings.refetch();
    if (data) update.mutate({ connector: { ...data, isEnabled: isOff } });
  }
  const failure = update.error ?? settings.error;
  return (
    <>
      {problem === "" && (
        <Button
          aria-label={`${isOff ? words.turnOn : words.turnOff} ${id}`}
          isDisabled={update.isPending}
          onPress={() => void turn()}
        >
          {isOff ? words.turnOn : words.turnOff}
        </Button>
      )}
      <Button aria-label={`${connections.change} ${id}`} onPress={() => setDialog("change")}>
        {connections.change}
      </Button>
      <Button aria-label={`${words.remove} ${id}`} onPress={() => setDialog("remove")}>
        {words.remove}
      </Button>
      {failure && <Failure error={failure} />}
      {dialog === "change" && <ConnectorDialog id={id} onClose={close} />}
      {dialog === "remove" && (
        <RemovalDialog
          label={words.removeNow}
          what={id}
          means={words.removeMeans}
          method={AdministrationService.method.deleteConnector}
          request={{ id }}
          onClose={close}
        />
      )}
    </>
  );
}

function ConnectorFacts({ connector }: { readonly connector: Connector }) {
  const { access, connections: words } = useChapter("administration");
  const { moment, number } = useFormats();
  const { lastSweep, completeSweepTime, nextSweepTime, pauseEndTime } = connector;
  const isOnRequest = connector.isOff || connector.sweep === "";
  const look = {
    COMPLETE: good,
    RUNNING: waiting,
    HELD: warning,
    PARTIAL: warning,
  }[SweepState[lastSweep?.state ?? SweepState.UNSPECIFIED]];
  return (
    <dl className="facts">
      <Fact label={words.address}>
        <code dir="ltr">{connector.baseUrl}</code>
      </Fact>
      <Fact label={words.lastSweep}>
        {lastSweep ? (
          <>
            <StateMark {...(look ?? bad)}>
              {textFor(words.states, SweepState[lastSweep.state]?.toLowerCase() ?? "")}
            </StateMark>{" "}
            {lastSweep.startTime && moment(lastSweep.startTime)}
            {lastSweep.reason !== "" && (
              <span className="second" lang="en" dir="ltr">
                {lastSweep.reason}
              </span>
            )}
          </>
        ) : (
          words.never
        )}
      </Fact>
      <Fact label={words.complete}>{completeSweepTime ? moment(completeSweepTime) : words.never}</Fact>
      <Fact label={words.next}>
        {pauseEndTime && (
          <span className="second">
            {words.paused({ time: moment(pauseEndTime) })}{" "}
            <span lang="en" dir="ltr">
              {connector.pauseReason}
            </span>
          </span>
        )}
        {nextSweepTime ? moment(nextSweepTime) : isOnRequest ? words.onRequest : "–"}{" "}
        {!isOnRequest && <code dir="ltr">{connector.sweep}</code>}
      </Fact>
      <Fact label={access.courses}>
        {number(connector.learningContextCount)}
        {connector.incompleteContextCount > 0 && (
          <span className="second">{words.incomplete({ number: connector.incompleteContextCount })}</span>
        )}
      </Fact>
      <Fact label={words.hints}>{number(connector.hintCount)}</Fact>
      {connector.clashCount > 0 && <Fact label={words.clashes}>{number(connector.clashCount)}</Fact>}
      {connector.renamedCount > 0 && <Fact label={words.renamed}>{number(connector.renamedCount)}</Fact>}
    </dl>
  );
}

function Outcome({ of }: { readonly of: Operation }) {
  const { data, error } = useOperation(of);
  if (error) return <Failure error={error} />;
  if (!data) return null;
  return (
    <>
      <CheckList of={data.checks} />
      {data.sync && (
        <SyncOutcome sync={data.sync} connector={of.connector} isPlan={of.kind === OperationKind.PLAN_SYNC} />
      )}
    </>
  );
}

function SyncOutcome({
  sync: { state, reason, counts, problems, heldCount },
  connector,
  isPlan,
}: {
  readonly sync: SyncResult;
  readonly connector: string;
  readonly isPlan: boolean;
}) {
  const { connections: words } = useChapter("administration");
  const [isAccepting, setAccepting] = useState(false);
  return (
    <>
      <p>
        <StateMark {...(state === SweepState.COMPLETE ? good : warning)}>
          {textFor(words.states, SweepState[state]?.toLowerCase() ?? "")}
        </StateMark>{" "}
        <span lang="en" dir="ltr">
          {reason}
        </span>
      </p>
      <Counts of={counts} caption={words.operations[isPlan ? "PLAN_SYNC" : "SYNC"] ?? ""} />
      <ProblemList of={problems} />
      {heldCount > 0 && (
        <div className="actions">
          <Button className="button-warning" onPress={() => setAccepting(true)}>
            {words.held({ number: heldCount })}
          </Button>
        </div>
      )}
      {isAccepting && (
        <OperationDialog
          label={words.held}
          means={words.heldMeans}
          count={heldCount}
          request={{ kind: OperationKind.SYNC, connector, acceptsWithdrawals: true }}
          command={["connector", "sync", connector, "--accept-withdrawals"]}
          onClose={() => setAccepting(false)}
        />
      )}
    </>
  );
}

function Counts({ of, caption }: { readonly of: readonly SweepCount[]; readonly caption: string }) {
  const { connections: words } = useChapter("administration");
  const { number } = useFormats();
  if (of.length === 0) return null;
  return (
    <ListTable caption={caption} headings={[caption, { amount: words.counts }]}>
      {of.map(({ name, count }) => (
        <tr key={name}>
          <th scope="row">
            <code dir="ltr">{name}</code>
          </th>
          <td className="amount">{number(count)}</td>
        </tr>
      ))}
    </ListTable>
  );
}
