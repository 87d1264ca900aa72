import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { MAX_EMAIL, MAX_NAME } from "#foundation/limits.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { Dialog, DialogForm } from "../components/dialog.js";
import { TextField } from "../components/fields.js";
import { useChange } from "../components/use-change.js";
import { useChapter, useWords } from "../i18n/words.js";

export function NewLearnerDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useChapter("setup");
  const { learners, credentials } = useWords();
  const navigate = useNavigate();
  const [typed, setTyped] = useState({ username: "", fullName: "", email: "" });
  const create = useChange(LearnerRecordService.method.createLearner, ({ learner }) =>
    navigate({ to: "/learners/$username", params: { username: learner?.username ?? "" } }),
  );
  const learner = {
    username: typed.username.trim(),
    fullName: typed.fullName.trim(),
    email: typed.email.trim(),
  };
  const field = (part: keyof typeof typed) => ({
    value: typed[part],
    maxLength: MAX_NAME,
    spellCheck: false,
    dir: "auto" as const,
    onType: (text: string) => setTyped({ ...typed, [part]: text }),
  });
  return (
    <Dialog title={words.newLearner} onClose={onClose}>
      <DialogForm change={create} request={learner} label={words.makeLearner} onClose={onClose}>
        <TextField
          label={learners.name}
          field="full_name"
          help={words.nameMeans}
          autoFocus
          required
          {...field("fullName")}
        />
        <TextField
          label={credentials.username}
          field="username"
          help={words.usernameMeans}
          required
          {...field("username")}
        />
        <TextField label={learners.email} field="email" {...field("email")} maxLength={MAX_EMAIL} />
        <p className="small faint">{words.learnerMeans}</p>
      </DialogForm>
    </Dialog>
  );
}
