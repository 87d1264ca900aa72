import type { IssuancePlan } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import { Button } from "../components/button.js";
import { useMay } from "../components/use-may.js";
import { useChapter } from "../i18n/words.js";
import type { usePlannedRun } from "./use-planned-run.js";

export function StartButton({
  run,
  plan,
}: {
  readonly run: Pick<ReturnType<typeof usePlannedRun>, "isStarting" | "start">;
  readonly plan: IssuancePlan;
}) {
  const { issue } = useChapter("issuing").plan;
  const why = useMay()("registrar");
  return (
    <Button variant="primary" why={why} isDisabled={run.isStarting} onPress={() => run.start()}>
      {issue({ count: plan.issueCount })}
    </Button>
  );
}
