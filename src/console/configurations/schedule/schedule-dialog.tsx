import { useId, useState } from "react";
import { MAX_CRON, MAX_INTERVAL_DAYS } from "#foundation/limits.js";
import type { CredentialConfiguration } from "#gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { Dialog, DialogForm } from "../../components/dialog.js";
import { CheckField, NumberField, TextField } from "../../components/fields.js";
import { WholeNumber } from "../../components/missing-field.js";
import { useChange } from "../../components/use-change.js";
import { useChapter, useFormats, useLanguageTag, useWords } from "../../i18n/words.js";
import { weekdayName } from "./schedule-in-words.js";
import {
  hasZone,
  isComplete,
  isDayOfMonth,
  MAX_DAY,
  SCHEDULE_KINDS,
  scheduleOf,
  type TypedSchedule,
  typedSchedule,
  WEEKDAYS,
} from "./typed-schedule.js";
import { Upcoming } from "./upcoming.js";

/** Attributes of a field for a time, for example `2026-11-23T06:00`. */
const MOMENT = { type: "datetime-local", max: "9999-12-31T23:59" } as const;
/** Attributes of a field for code, which is left to right in every language. */
const CODE = { dir: "ltr", spellCheck: false, maxLength: MAX_CRON } as const;

type FieldName = Exclude<keyof TypedSchedule, "weekdays" | "isEnabled">;

export function ScheduleDialog({
  configuration: { id: configurationId, etag, schedule },
  onClose,
}: {
  readonly configuration: CredentialConfiguration;
  readonly onClose: () => void;
}) {
  const { schedule: words } = useChapter("designing");
  const { timeZone } = useFormats();
  const isUtc = timeZone === "UTC";
  const [typed, setTyped] = useState(() => typedSchedule(schedule, isUtc));
  const save = useChange(ConfigurationService.method.updateCredentialConfiguration, onClose);
  const field = (name: FieldName) => ({
    value: typed[name],
    onType: (text: string) => setTyped({ ...typed, [name]: text }),
  });
  const request = {
    credentialConfiguration: { id: configurationId, etag, schedule: scheduleOf(typed, schedule, isUtc) },
    updateMask: { paths: ["schedule"] },
  };
  return (
    <Dialog title={words.change} isWide={typed.kind !== "byHand"} onClose={onClose}>
      <DialogForm
        change={save}
        request={isComplete(typed) ? request : undefined}
        label={words.save}
        onClose={onClose}
      >
        <div className="beside">
          <div className="stack">
            <fieldset className="stack">
              <legend className="label">{words.title}</legend>
              {SCHEDULE_KINDS.map((kind) => (
                <CheckField
                  key={kind}
                  type="radio"
                  name="kind"
                  label={words[kind]}
                  checked={typed.kind === kind}
                  onChoose={() => setTyped({ ...typed, kind })}
                />
              ))}
            </fieldset>
            <Repetition typed={typed} field={field} onChange={setTyped} />
            {hasZone(typed.kind) && <ZoneField {...field("zone")} />}
            {typed.kind !== "byHand" && (
              <>
                <Period typed={typed} field={field} />
                <CheckField
                  label={words.automatic}
                  checked={typed.isEnabled}
                  onChoose={(isEnabled) => setTyped({ ...typed, isEnabled })}
                />
              </>
            )}
          </div>
          {typed.isEnabled && request.credentialConfiguration.schedule && isComplete(typed) && (
            <Upcoming schedule={request.credentialConfiguration.schedule} />
          )}
        </div>
      </DialogForm>
    </Dialog>
  );
}

type FieldOf = (name: FieldName) => {
  readonly value: string;
  readonly onType: (text: string) => void;
};

function ZoneField(field: ReturnType<FieldOf>) {
  const { shell } = useWords();
  const { schedule: words } = useChapter("designing");
  const id = useId();
  return (
    <>
      <TextField
        {...CODE}
        label={shell.timeZone}
        field="time_zone"
        help={words.zoneMeans}
        list={`${id}-zones`}
        {...field}
      />
      <datalist id={`${id}-zones`}>
        {Intl.supportedValuesOf("timeZone").map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}

/** The times between which the schedule applies. */
function Period({ typed, field }: { readonly typed: TypedSchedule; readonly field: FieldOf }) {
  const { parts } = useWords();
  const { schedule: words } = useChapter("designing");
  const { timeZone } = useFormats();
  const inZone = words.inZone({ zone: timeZone });
  return (
    <>
      <TextField
        {...MOMENT}
        field="start_time"
        label={typed.kind === "once" ? words.notBefore : `${words.notBefore} (${parts.optional})`}
        required={typed.kind === "once"}
        help={inZone}
        {...field("notBefore")}
      />
      <TextField
        {...MOMENT}
        field="end_time"
        label={`${words.notAfter} (${parts.optional})`}
        help={inZone}
        {...field("notAfter")}
      />
    </>
  );
}

function Repetition({
  typed,
  field,
  onChange,
}: {
  readonly typed: TypedSchedule;
  readonly field: FieldOf;
  readonly onChange: (typed: TypedSchedule) => void;
}) {
  const { schedule: words } = useChapter("designing");
  const tag = useLanguageTag();
  return (
    <>
      {typed.kind === "everyDays" && (
        <NumberField
          label={words.days}
          field="interval_days"
          wrong={isComplete(typed) ? undefined : <WholeNumber min={1} max={MAX_INTERVAL_DAYS} />}
          {...field("days")}
        />
      )}
      {typed.kind === "weekly" && (
        <fieldset className="stack">
          <legend className="label">{words.weekdays}</legend>
          <div className="actions">
            {WEEKDAYS.map((day, index) => (
              <CheckField
                key={day}
                isGroup
                required={index === 0 && typed.weekdays.length === 0}
                label={weekdayName(day, tag, "short")}
                checked={typed.weekdays.includes(day)}
                onChoose={(isChosen) =>
                  onChange({
                    ...typed,
                    weekdays: WEEKDAYS.filter((each) =>
                      each === day ? isChosen : typed.weekdays.includes(each),
                    ),
                  })
                }
              />
            ))}
          </div>
        </fieldset>
      )}
      {typed.kind === "monthly" && (
        <NumberField
          label={words.dayOfMonth}
          field="cron"
          wrong={isDayOfMonth(typed.day) ? undefined : <WholeNumber min={1} max={MAX_DAY} />}
          {...field("day")}
        />
      )}
      {(typed.kind === "weekly" || typed.kind === "monthly") && (
        <TextField
          type="time"
          label={words.time}
          field="cron"
          className="field-short"
          required
          {...field("time")}
        />
      )}
      {typed.kind === "byCron" && (
        <TextField
          {...CODE}
          label={words.cron}
          field="cron"
          help={words.cronMeans}
          required
          {...field("cron")}
        />
      )}
    </>
  );
}
