import { useState } from "react";
import type { CredentialConfiguration } from "../../../../gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "../../../../gen/learning_credentials/v1/configuration_service_pb.js";
import { Dialog } from "../../components/dialog.js";
import { DialogEnd } from "../../components/dialog-end.js";
import { CheckField, NumberField, TextField } from "../../components/fields.js";
import { useChange } from "../../components/use-change.js";
import { useChapter } from "../../i18n/chapter.js";
import { useFormats, useWords } from "../../i18n/words.js";
import { isComplete, KINDS, scheduleOf, type TypedSchedule, typedSchedule } from "./typed-schedule.js";

/** Typed as `2026-11-23T06:00`; empty for none. */
const MOMENT = { type: "datetime-local", max: "9999-12-31T23:59" } as const;
/** A short text that runs from left to right in every language. */
const CODE = { dir: "ltr", spellCheck: false, maxLength: 100 } as const;

/** Says when runs start by themselves. */
export function ScheduleDialog({
  configuration: { id, etag, schedule },
  onClose,
}: {
  readonly configuration: CredentialConfiguration;
  readonly onClose: () => void;
}) {
  const { parts, shell } = useWords();
  const { schedule: words } = useChapter("designing");
  const { timeZone } = useFormats();
  const isUtc = timeZone === "UTC";
  const [typed, setTyped] = useState(() => typedSchedule(schedule, isUtc));
  const save = useChange(ConfigurationService.method.updateCredentialConfiguration, onClose);
  const field = (name: keyof TypedSchedule) => ({
    value: typed[name],
    onType: (text: string) => setTyped({ ...typed, [name]: text }),
  });
  const request = {
    credentialConfiguration: { id, etag, schedule: scheduleOf(typed, schedule, isUtc) },
    updateMask: { paths: ["schedule"] },
  };
  const inZone = words.inZone.replace("{zone}", timeZone);
  return (
    <Dialog title={words.change} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isComplete(typed) && !save.isPending) save.mutate(request);
        }}
      >
        <fieldset className="stack">
          <legend className="label">{words.title}</legend>
          {KINDS.map((kind) => (
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
        {typed.kind === "everyDays" && <NumberField label={words.days} {...field("days")} />}
        {typed.kind === "byCron" && (
          <>
            <TextField {...CODE} label={words.cron} help={words.cronMeans} {...field("cron")} />
            <TextField {...CODE} label={shell.timeZone} help={words.zoneMeans} {...field("zone")} />
          </>
        )}
        {typed.kind !== "byHand" && (
          <>
            <TextField
              {...MOMENT}
              label={typed.kind === "once" ? words.notBefore : `${words.notBefore} (${parts.optional})`}
              help={inZone}
              {...field("notBefore")}
            />
            <TextField
              {...MOMENT}
              label={`${words.notAfter} (${parts.optional})`}
              help={inZone}
              {...field("notAfter")}
            />
          </>
        )}
        {typed.kind === "everyDays" && typed.notBefore === "" && !schedule?.enabled && (
          <p className="notice notice-warn">{words.atOnce}</p>
        )}
        <DialogEnd
          change={save}
          request={isComplete(typed) ? request : undefined}
          isForm
          label={words.save}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}
