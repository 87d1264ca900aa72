import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ConfigurationService } from "../../../gen/learning_credentials/v1/configuration_service_pb.js";
import { LearnerRecordService } from "../../../gen/learning_credentials/v1/learner_record_service_pb.js";
import { Button } from "../components/button.js";
import { Dialog } from "../components/dialog.js";
import { DialogEnd } from "../components/dialog-end.js";
import { keyParts } from "../components/key-parts.js";
import { lazily } from "../components/lazily.js";
import { type Choice, Picker } from "../components/picker.js";
import { useChange } from "../components/use-change.js";
import { usePaused } from "../components/use-paused.js";
import { useChapter } from "../i18n/chapter.js";
import { useWords } from "../i18n/words.js";
import { useMayMakeCourses } from "../setup/new-course.js";

const NewCourseDialog = lazily(() => import("../setup/new-course-dialog.js"), "NewCourseDialog");

const SUGGESTED = 50;

/** Whether it may be the key of a course or path, which the platform need not have told of yet. */
const isKey = (text: string) => /^(?:course|path)-v1:.+\+/.test(text);

function choiceOf(key: string, name: string): Choice {
  return { key, title: name || keyParts(key), detail: keyParts(key) };
}

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
  const query = usePaused(typed.trim());
  const known = useQuery(
    LearnerRecordService.method.listLearningContexts,
    { query, pageSize: SUGGESTED },
    { placeholderData: keepPreviousData },
  );
  const found = known.data?.contexts.map((each) => choiceOf(each.learningContextKey, each.displayName));
  const isUnknown = isKey(query) && !found?.some(({ key }) => key === query);
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
          setChosen(choiceOf(courseKey, displayName));
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
        <Picker
          label={credentials.context}
          help={words.contextKeyMeans}
          choices={isUnknown ? [choiceOf(query, query), ...(found ?? [])] : found}
          answered={known.isPlaceholderData ? "…" : query}
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
        <DialogEnd change={offer} request={request} isForm label={words.offerNow} onClose={onClose} />
      </form>
    </Dialog>
  );
}
