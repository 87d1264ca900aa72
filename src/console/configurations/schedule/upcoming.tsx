import { create, type MessageInitShape, toJsonString } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { CredentialScheduleSchema } from "#gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { Failure } from "../../components/failure.js";
import { usePaused } from "../../components/use-paused.js";
import { dateLocale } from "../../i18n/preferences.js";
import { useChapter, useFormats, useLanguageTag } from "../../i18n/words.js";

/** The next runs of a schedule, in the schedule's time zone if it has one. */
export function Upcoming({
  schedule,
}: {
  readonly schedule: MessageInitShape<typeof CredentialScheduleSchema>;
}) {
  const { schedule: words } = useChapter("designing");
  const tag = useLanguageTag();
  const { timeZone: own } = useFormats();
  const message = create(CredentialScheduleSchema, schedule);
  const typed = toJsonString(CredentialScheduleSchema, message);
  const isResting = usePaused(typed) === typed;
  const { data, error } = useQuery(
    ConfigurationService.method.previewSchedule,
    { schedule: message },
    { placeholderData: keepPreviousData, enabled: isResting },
  );
  if (error) return <Failure error={error} />;
  if (!data) return null;
  const zone = message.recurrence.case === "cron" ? data.timeZone : own;
  const format = new Intl.DateTimeFormat(dateLocale(tag), {
    weekday: "short",
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZone: zone,
    timeZoneName: "shortOffset",
  });
  return (
    <div role="status">
      <p className="label">
        {words.upcoming} <bdi>{zone}</bdi>
      </p>
      {data.runTimes.length === 0 ? (
        <p>{words.never}</p>
      ) : (
        <ol className="small">
          {data.runTimes.map((time) => (
            <li key={String(time.seconds)}>{format.format(timestampDate(time))}</li>
          ))}
        </ol>
      )}
    </div>
  );
}
