import { Link } from "@tanstack/react-router";
import type { IssuanceRun } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import { ActorName } from "../components/actor-name.js";
import { useFormats, useWords } from "../i18n/words.js";
import { type NamedConfiguration, titleOf } from "../offers/use-configurations.js";

export function RunCard({
  run,
  configuration,
}: {
  readonly run: IssuanceRun;
  readonly configuration: NamedConfiguration | undefined;
}) {
  const { overview: words } = useWords();
  const { number, moment } = useFormats();
  const done = run.issuedCount - run.generatingCount;
  return (
    <div className="card padded stack">
      <p>
        <Link to="/runs/$id" params={{ id: run.id }}>
          <bdi>{configuration ? titleOf(configuration) : run.id}</bdi>
        </Link>
        {" · "}
        {run.startTime && moment(run.startTime)} · <ActorName of={run.startedBy} />
      </p>
      <progress max={Math.max(1, run.issuedCount)} value={done} aria-label={words.running} />
      <p className="small faint">
        {number(done)} / {number(run.issuedCount)}
        {run.failedCount > 0 && <> · {words.failed({ count: run.failedCount })}</>}
      </p>
    </div>
  );
}
