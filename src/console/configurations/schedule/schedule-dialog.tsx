import { useMutation } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { CredentialConfiguration } from "../../../../gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "../../../../gen/learning_credentials/v1/configuration_service_pb.js";
import type { DesigningWording } from "../../languages/en/designing.js";
import { AsCode } from "../../parts/as-code.js";
import { Button } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { Failure } from "../../parts/failure.js";
import { HelpedField } from "../../parts/helped-field.js";
import { NumberField } from "../../parts/number-field.js";
import { useFormats, useWords } from "../../reader/words.js";
import { isComplete, KINDS, scheduleOf, type TypedSchedule, typedSchedule } from "./typed-schedule.js";

/** Typed as `2026-11-23T06:00`; empty for none. */
const MOMENT = { type: "datetime-local", max: "9999-12-31T23:59" } as const;
/** A short text that runs from left to right in every language. */
const CODE = { dir: "ltr", autoComplete: "off", spellCheck: false, maxLength: 100 } as const;

const method = ConfigurationService.method.updateCredentialConfiguration;

/** Says when runs start by themselves. */
export function ScheduleDialog({
  configuration: { id, etag, schedule },
  words,
  onClose,
}: {
  readonly configuration: CredentialConfiguration;
  readonly words: DesigningWording["schedule"];
  readonly onClose: () => void;
}) {
  const { parts } = useWords();
  const { timeZone } = useFormats();
  const isUtc = timeZone === "UTC";
  const client = useQueryClient();
  const [typed, setTyped] = useState(() => typedSchedule(schedule, isUtc));
  const save = useMutation(method, {
    async onSuccess() {
      await client.invalidateQueries();
      onClose();
    },
  });
  const type = (name: keyof TypedSchedule) => (text: string) => setTyped({ ...typed, [name]: text });
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
        <Kinds typed={typed} words={words} onChoose={(kind) => setTyped({ ...typed, kind })} />
        {typed.kind === "everyDays" && (
          <NumberField label={words.days} typed={typed.days} onType={type("days")} />
        )}
        {typed.kind === "byCron" && (
          <>
            <HelpedField
              {...CODE}
              label={words.cron}
              help={words.cronMeans}
              typed={typed.cron}
              onType={type("cron")}
            />
            <HelpedField
              {...CODE}
              label={words.zone}
              help={words.zoneMeans}
              typed={typed.zone}
              onType={type("zone")}
            />
          </>
        )}
        {typed.kind !== "byHand" && (
          <>
            <HelpedField
              {...MOMENT}
              label={typed.kind === "once" ? words.notBefore : `${words.notBefore} (${parts.optional})`}
              help={inZone}
              typed={typed.notBefore}
              onType={type("notBefore")}
            />
            <HelpedField
              {...MOMENT}
              label={`${words.notAfter} (${parts.optional})`}
              help={inZone}
              typed={typed.notAfter}
              onType={type("notAfter")}
            />
          </>
        )}
        {typed.kind === "everyDays" && typed.notBefore === "" && !schedule?.enabled && (
          <p className="notice notice-warn">{words.atOnce}</p>
        )}
        {save.error && <Failure error={save.error} />}
        {isComplete(typed) && <AsCode method={method} request={request} />}
        <div className="dialog-actions">
          <Button onPress={onClose}>{parts.cancel}</Button>
          <Button type="submit" look="primary" isDisabled={!isComplete(typed) || save.isPending}>
            {words.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Kinds({
  typed,
  words,
  onChoose,
}: {
  readonly typed: TypedSchedule;
  readonly words: DesigningWording["schedule"];
  readonly onChoose: (kind: TypedSchedule["kind"]) => void;
}) {
  const id = useId();
  return (
    <fieldset className="stack">
      <legend className="label">{words.title}</legend>
      {KINDS.map((kind) => (
        <div key={kind} className="check">
          <input
            id={`${id}-${kind}`}
            type="radio"
            name={id}
            checked={typed.kind === kind}
            onChange={() => onChoose(kind)}
          />
          <label htmlFor={`${id}-${kind}`}>{words[kind]}</label>
        </div>
      ))}
    </fieldset>
  );
}
