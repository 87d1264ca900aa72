import type { MessageInitShape } from "@bufbuild/protobuf";
import { useEffect, useRef, useState } from "react";
import {
  AdministrationService,
  type CheckServiceSettingRequestSchema,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { Button } from "../components/button.js";
import { Failure } from "../components/failure.js";
import { TextField } from "../components/fields.js";
import { isFilledIn } from "../components/missing-field.js";
import { useChange } from "../components/use-change.js";
import { useChapter } from "../i18n/words.js";
import { CheckList } from "./check-list.js";

/** Checks a setting and shows the results. For email, it can send a test email. */
export function SettingCheck({
  request,
}: {
  readonly request: MessageInitShape<typeof CheckServiceSettingRequestSchema>;
}) {
  const words = useChapter("serviceSettings");
  const { connections } = useChapter("administration");
  const check = useChange(AdministrationService.method.checkServiceSetting);
  const [typed, setTyped] = useState("");
  const actions = useRef<HTMLDivElement>(null);
  const results = useRef<HTMLDivElement>(null);
  const recipient = typed.trim();
  // Otherwise, the buttons of a dialog would hide the results.
  useEffect(() => {
    if (check.data) results.current?.scrollIntoView({ block: "nearest" });
  }, [check.data]);
  return (
    <>
      {request.name === "email" && (
        <TextField
          label={words.recipient}
          help={words.recipientMeans}
          field="recipient"
          type="email"
          dir="ltr"
          value={typed}
          onType={setTyped}
        />
      )}
      <div className="actions" ref={actions}>
        <Button
          isDisabled={check.isPending}
          onPress={() => isFilledIn(actions.current) && check.mutate({ ...request, recipient })}
        >
          {recipient === "" ? connections.check : words.sendTest}
        </Button>
      </div>
      <div ref={results} className="check-results" role="status">
        {check.error && <Failure error={check.error} />}
        {check.data && <CheckList of={check.data.checks} words={words} />}
      </div>
    </>
  );
}
