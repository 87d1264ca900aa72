import { useState } from "react";
import type { CredentialConfiguration } from "#gen/learning_credentials/v1/configuration_pb.js";
import { Button } from "../../components/button.js";
import { lazily } from "../../components/lazily.js";
import { useMay } from "../../components/use-may.js";
import { useChapter } from "../../i18n/words.js";

const PlannedRuns = lazily(() => import("./planned-runs.js"), "PlannedRuns");
const ScheduleDialog = lazily(() => import("./schedule-dialog.js"), "ScheduleDialog");

export function ScheduleCard({ configuration }: { readonly configuration: CredentialConfiguration }) {
  const { schedule } = configuration;
  const { schedule: words } = useChapter("designing");
  const [isChanging, setChanging] = useState(false);
  const why = useMay()("registrar");
  return (
    <section className="card padded stack">
      <h2>{words.title}</h2>
      <p className="small faint">{words.means}</p>
      {schedule ? <PlannedRuns schedule={schedule} /> : <p>{words.byHand}.</p>}
      {why !== undefined && schedule?.nextRunTime && <p className="notice">{words.issuesAutomatically}</p>}
      <div className="actions">
        <Button why={why} onPress={() => setChanging(true)}>
          {words.change}
        </Button>
      </div>
      {isChanging && <ScheduleDialog configuration={configuration} onClose={() => setChanging(false)} />}
    </section>
  );
}
