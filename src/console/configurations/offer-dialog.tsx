import { useQuery } from "@connectrpc/connect-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { CredentialConfiguration } from "#gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { Button } from "../components/button.js";
import { Dialog, DialogForm } from "../components/dialog.js";
import { lazily } from "../components/lazily.js";
import type { Choice } from "../components/picker.js";
import { useChange } from "../components/use-change.js";
import { usePaused } from "../components/use-paused.js";
import { contextChoice } from "../contexts/context-choice.js";
import { ContextPicker } from "../contexts/context-picker.js";
import { useChapter, useWords } from "../i18n/words.js";
import { labelOf } from "../options/option-input.js";
import { OfferedTo } from "../requirements/offered-to.js";
import { STEPS } from "../requirements/required.js";
import { useWhyNoNewCourse } from "../setup/new-course.js";

const NewCourseDialog = lazily(() => import("../setup/new-course-dialog.js"), "NewCourseDialog");

/** Offers a type in another course or path, and opens the new configuration. */
export function OfferDialog({
  typeId,
  like,
  onClose,
}: {
  readonly typeId: number;
  /** An existing configuration of the type. Its options are copied. */
  readonly like?: CredentialConfiguration;
  readonly onClose: () => void;
}) {
  const words = useChapter("designing");
  const { newCourse } = useChapter("setup");
  const { credentials } = useWords();
  const navigate = useNavigate();
  const whyNoNewCourse = useWhyNoNewCourse();
  const [isMaking, setMaking] = useState(false);
  const [chosen, setChosen] = useState<Choice>();
  const [typed, setTyped] = useState("");
  const query = usePaused(typed); // delayed, because the field clears its text when it loses the focus
  const type = useQuery(ConfigurationService.method.getCredentialType, { id: typeId }).data;
  const offer = useChange(ConfigurationService.method.createCredentialConfiguration, ({ id: created }) =>
    navigate({ to: "/configurations/$id", params: { id: String(created) } }),
  );
  const { [STEPS]: steps, ...customOptions } = like?.customOptions ?? {};
  const request = chosen && {
    credentialConfiguration: { credentialTypeId: typeId, learningContextKey: chosen.key, customOptions },
  };
  if (isMaking) {
    return (
      <NewCourseDialog
        name={query}
        onMade={({ courseKey, displayName }) => {
          setChosen(contextChoice(courseKey, displayName));
          setMaking(false);
        }}
        onClose={() => setMaking(false)}
      />
    );
  }
  return (
    <Dialog title={like ? words.offerElsewhere : words.offer} onClose={onClose}>
      <DialogForm change={offer} request={request} label={words.offerNow} onClose={onClose}>
        <ContextPicker
          label={credentials.context}
          autoFocus
          required
          help={words.contextKeyMeans}
          chosen={chosen}
          onType={setTyped}
          onChoose={setChosen}
        />
        {/* Keeps the focus in the field. Otherwise, the list would close and move the button away from the pointer. */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: it only prevents a change of the focus */}
        <div className="actions" onMouseDown={(event) => event.preventDefault()}>
          <Button why={whyNoNewCourse} onPress={() => setMaking(true)}>
            {newCourse}
          </Button>
        </div>
        <p>{words.offerMeans}</p>
        {like && (
          <CopiedOptions names={Object.keys(customOptions)} left={steps === undefined ? [] : [STEPS]} />
        )}
        {type && <OfferedTo type={type} customOptions={customOptions} learningContextKey={chosen?.key} />}
      </DialogForm>
    </Dialog>
  );
}

/** Lists which options are copied, and which are not. */
function CopiedOptions({
  names,
  left,
}: {
  readonly names: readonly string[];
  readonly left: readonly string[];
}) {
  const words = useChapter("designing");
  const labels = (of: readonly string[]) => of.map((name) => labelOf(name, words));
  return (
    <section>
      <h3>{words.takenOver}</h3>
      <ul>
        {names.length === 0 && <li>{words.nothingOwn}</li>}
        {labels(names).map((label) => (
          <li key={label}>{label}</li>
        ))}
      </ul>
      <p className="small faint">{[words.notTakenOver, ...labels(left)].join(" · ")}</p>
    </section>
  );
}
