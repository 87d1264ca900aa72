import { useQuery } from "@connectrpc/connect-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ConfigurationService } from "../../../gen/learning_credentials/v1/configuration_service_pb.js";
import { Button } from "../components/button.js";
import { Dialog } from "../components/dialog.js";
import { DialogEnd } from "../components/dialog-end.js";
import { lazily } from "../components/lazily.js";
import type { Choice } from "../components/picker.js";
import { useChange } from "../components/use-change.js";
import { usePaused } from "../components/use-paused.js";
import { contextChoice } from "../contexts/context-choice.js";
import { ContextPicker } from "../contexts/context-picker.js";
import { useChapter } from "../i18n/chapter.js";
import { useWords } from "../i18n/words.js";
import { OfferedTo } from "../requirements/offered-to.js";
import { useMayMakeCourses } from "../setup/new-course.js";

const NewCourseDialog = lazily(() => import("../setup/new-course-dialog.js"), "NewCourseDialog");

/** Offers a type in a course or path, and goes on to what is different there. */
export function OfferDialog({ typeId, onClose }: { readonly typeId: number; readonly onClose: () => void }) {
  const words = useChapter("designing");
  const { newCourse } = useChapter("setup");
  const { credentials } = useWords();
  const navigate = useNavigate();
  const whyNotMake = useMayMakeCourses();
  const [isMaking, setMaking] = useState(false);
  const [chosen, setChosen] = useState<Choice>();
  const [typed, setTyped] = useState("");
  const query = usePaused(typed); // leaving the field empties it
  const type = useQuery(ConfigurationService.method.getCredentialType, { id: typeId }).data;
  const offer = useChange(ConfigurationService.method.createCredentialConfiguration, ({ id: created }) =>
    navigate({ to: "/configurations/$id", params: { id: String(created) } }),
  );
  const request = chosen && {
    credentialConfiguration: { credentialTypeId: typeId, learningContextKey: chosen.key },
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
    <Dialog title={words.offer} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (request && !offer.isPending) offer.mutate(request);
        }}
      >
        <ContextPicker
          label={credentials.context}
          autoFocus
          help={words.contextKeyMeans}
          chosen={chosen}
          onType={setTyped}
          onChoose={setChosen}
        />
        <div className="actions">
          <Button why={whyNotMake} onPress={() => setMaking(true)}>
            {newCourse}
          </Button>
        </div>
        <p>{words.offerMeans}</p>
        {type && <OfferedTo type={type} learningContextKey={chosen?.key} />}
        <DialogEnd change={offer} request={request} isForm label={words.offerNow} onClose={onClose} />
      </form>
    </Dialog>
  );
}
