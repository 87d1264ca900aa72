import type { CredentialConfiguration } from "#gen/learning_credentials/v1/configuration_pb.js";
import { ActorName } from "../../components/actor-name.js";
import { Fact } from "../../components/fact.js";
import { dateLocale } from "../../i18n/preferences.js";
import { useChapter, useFormats, useLanguageTag } from "../../i18n/words.js";
import { timesInWords } from "./schedule-in-words.js";
import { scheduleKindOf, timesIn } from "./typed-schedule.js";
import { Upcoming } from "./upcoming.js";

export function PlannedRuns({
  schedule,
}: {
  readonly schedule: NonNullable<CredentialConfiguration["schedule"]>;
}) {
  const { schedule: words } = useChapter("designing");
  const { moment } = useFormats();
  const tag = useLanguageTag();
  const { enabled, recurrence, timeZone, startTime, endTime, nextRunTime, lastError, setBy } = schedule;
  const times = recurrence.case === "cron" ? timesIn(recurrence.value) : undefined;
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
        <Fact label={words.next}>
          {nextRunTime ? moment(nextRunTime) : enabled ? words.never : words.off}
        </Fact>
        <Fact label={times ? words.at : words[scheduleKindOf(schedule)]}>
          {recurrence.case === "once" && startTime && moment(startTime)}
          {recurrence.case === "intervalDays" && days(recurrence.value)}
          {times && timesInWords(times, words, dateLocale(tag))}
          {recurrence.case === "cron" && !times && (
            <code dir="ltr">
              {recurrence.value} {timeZone}
            </code>
          )}
        </Fact>
        {startTime && recurrence.case !== "once" && <Fact label={words.notBefore}>{moment(startTime)}</Fact>}
        {endTime && <Fact label={words.notAfter}>{moment(endTime)}</Fact>}
        {setBy && (
          <Fact label={words.setBy}>
            <ActorName of={setBy} />
          </Fact>
        )}
      </dl>
      {enabled && <Upcoming schedule={schedule} />}
    </>
  );
}
