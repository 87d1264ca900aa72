import { useState } from "react";
import { Button } from "../components/button.js";
import { lazily } from "../components/lazily.js";
import { useCaller, useMay } from "../components/use-may.js";
import { useChapter } from "../i18n/chapter.js";

const NewLearnerDialog = lazily(() => import("./new-learner-dialog.js"), "NewLearnerDialog");

/** Button to create a learner that no platform sends. */
export function NewLearner() {
  const words = useChapter("setup");
  const why = useMay()("registrar");
  const isBounded = useCaller().data?.isBounded;
  const [isOpen, setOpen] = useState(false);
  // Learners are shared by all organisations, so restricted staff can't create any.
  if (isBounded) return null;
  return (
    <>
      <Button why={why} onPress={() => setOpen(true)}>
        {words.newLearner}
      </Button>
      {isOpen && <NewLearnerDialog onClose={() => setOpen(false)} />}
    </>
  );
}
