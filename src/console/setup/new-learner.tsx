import { useState } from "react";
import { Button } from "../components/button.js";
import { lazily } from "../components/lazily.js";
import { useCaller, useMay } from "../components/use-may.js";
import { useChapter } from "../i18n/words.js";

const NewLearnerDialog = lazily(() => import("./new-learner-dialog.js"), "NewLearnerDialog");

/** Creates a learner whom no platform has reported. */
export function NewLearner() {
  const words = useChapter("setup");
  const why = useMay()("registrar");
  const isBounded = useCaller().data?.isBounded;
  const [isOpen, setOpen] = useState(false);
  // Staff who are restricted to organisations can't create learners, because all organisations share them.
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
