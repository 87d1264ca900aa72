import { lazy, Suspense, useState } from "react";
import type { CredentialConfiguration } from "../../../../gen/learning_credentials/v1/configuration_pb.js";
import type { DesigningWording } from "../../languages/en/designing.js";
import { Button } from "../../parts/button.js";
import { Fact } from "../../parts/fact.js";
import { useMay } from "../../parts/use-may.js";
import { useFormats, useLanguageTag } from "../../reader/words.js";
import { kindOf } from "./typed-schedule.js";

/** Dialogs are large, and come when they are opened. */
const ScheduleDialog = lazy(async () => ({ default: (await import("./schedule-dialog.js")).ScheduleDialog }));

/** When runs of a configuration start by themselves. */
export function ScheduleCard({
  configuration,
  words,
}: {
  readonly configuration: CredentialConfiguration;
  readonly words: DesigningWording;
}) {
  const { schedule } = configuration;
  const own = words.schedule;
  const [isChanging, setChanging] = useState(false);
  const why = useMay()("registrar");
  return (
    <section className="card padded stack">
      <h2>{own.title}</h2>
      <p className="small faint">{own.means}</p>
      {schedule?.enabled ? <Planned schedule={schedule} words={own} /> : <p>{own.byHand}.</p>}
      {why !== undefined && schedule?.nextRunTime && <p className="notice">{own.issuesUnasked}</p>}
      <div className="actions">
        <Button why={why} onPress={() => setChanging(true)}>
          {own.change}
        </Button>
      </div>
      <Suspense>
        {isChanging && (
          <ScheduleDialog configuration={configuration} words={own} onClose={() => setChanging(false)} />
        )}
      </Suspense>
    </section>
  );
}

function Planned({
  schedule,
  words,
}: {
  readonly schedule: NonNullable<CredentialConfiguration["schedule"]>;
  readonly words: DesigningWording["schedule"];
}) {
  const { moment } = useFormats();
  const tag = useLanguageTag();
  const { recurrence, timeZone, startTime, endTime, nextRunTime, lastError, setBy } = schedule;
  const days = (count: number) =>
    new Intl.NumberFormat(tag, { style: "unit", unit: "day", unitDisplay: "long" }).format(count);
  return (
    <>
      {lastError && (
        <div className="notice notice-bad">
          <p className="notice-heading">{words.problem}</p>
          <p lang="en" dir="ltr">
            {lastError}
          </p>
        </div>
      )}
      <dl className="facts">
        <Fact label={words.next}>{nextRunTime ? moment(nextRunTime) : words.never}</Fact>
        <Fact label={words[kindOf(schedule)]}>
          {recurrence.case === "once" && startTime && moment(startTime)}
          {recurrence.case === "intervalDays" && days(recurrence.value)}
          {recurrence.case === "cron" && (
            <code dir="ltr">
              {recurrence.value} {timeZone}
            </code>
          )}
        </Fact>
        {startTime && recurrence.case !== "once" && <Fact label={words.notBefore}>{moment(startTime)}</Fact>}
        {endTime && <Fact label={words.notAfter}>{moment(endTime)}</Fact>}
        {setBy && (
          <Fact label={words.setBy}>
            <bdi>{setBy}</bdi>
          </Fact>
        )}
      </dl>
    </>
  );
}
