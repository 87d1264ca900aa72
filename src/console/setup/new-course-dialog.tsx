import { useQuery } from "@connectrpc/connect-query";
import { useId, useState } from "react";
import { MAX_NAME } from "#foundation/limits.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import type { Course } from "#gen/learning_credentials/v1/record_pb.js";
import { Dialog, DialogForm } from "../components/dialog.js";
import { DoneDialog } from "../components/done-dialog.js";
import { TextField } from "../components/fields.js";
import { LinkButton } from "../components/link-button.js";
import { useChange } from "../components/use-change.js";
import { useCaller } from "../components/use-may.js";
import { useMayDesignTypes } from "../components/use-may-design-types.js";
import { useChapter } from "../i18n/words.js";
import { useConfigurations } from "../offers/use-configurations.js";
import { codeFrom, courseKeyOf, keyPart, organisationsIn, type TypedCourse } from "./course-key.js";

const { method } = LearnerRecordService;

interface Shown {
  /** The text for which the user has searched in vain. */
  readonly name?: string;
  readonly onMade: (course: Course) => void;
  readonly onClose: () => void;
}

/** Creates a course, and then shows what can be done with it next. */
export function NewCourseStory({ onClose }: Pick<Shown, "onClose">) {
  const words = useChapter("setup");
  const [made, setMade] = useState<Course>();
  const mayDesign = useMayDesignTypes();
  const { data: types } = useQuery(ConfigurationService.method.listCredentialTypes, { pageSize: 1 });
  if (!made) return <NewCourseDialog onMade={setMade} onClose={onClose} />;
  return (
    <DoneDialog
      title={words.newCourse}
      outcome={
        <p>
          {words.made} <bdi>{made.displayName}</bdi>
        </p>
      }
      onClose={onClose}
    >
      {types?.credentialTypes.length === 0 ? (
        <>
          <p>{words.stepDesign}</p>
          <LinkButton to="/types/new" why={mayDesign}>
            {words.design}
          </LinkButton>
        </>
      ) : (
        <>
          <p>{words.madeMeans}</p>
          <LinkButton to="/types">{words.toTypes}</LinkButton>
        </>
      )}
    </DoneDialog>
  );
}

/** Creates a course that no platform has reported. */
export function NewCourseDialog({ name = "", onMade, onClose }: Shown) {
  const words = useChapter("setup");
  const id = useId();
  const caller = useCaller().data;
  const { data: known } = useQuery(method.listLearningContexts, {});
  const { all: offers } = useConfigurations();
  // Reading all courses would take too long. Those with credentials show which organisation is the most frequent.
  const courses = known && offers ? [...known.contexts, ...offers] : [];
  const organisations = caller?.isBounded
    ? caller.organisations
    : organisationsIn(courses.map(({ learningContextKey }) => learningContextKey));
  const [typed, setTyped] = useState({ name, code: "", edition: String(new Date().getFullYear()) });
  // Until the user types an organisation, the one that has most courses.
  const [organisation, setOrganisation] = useState<string>();
  const course: TypedCourse = { ...typed, organisation: organisation ?? organisations[0] ?? "" };
  const courseKey = courseKeyOf(course);
  const displayName = course.name.trim();
  const make = useChange(method.createCourse, onMade);
  const request = courseKey === undefined ? undefined : { course: { courseKey, displayName } };
  const wrongIn = (text: string) =>
    text.trim() !== "" && keyPart(text) === "" ? words.needsLetters : undefined;
  const field = (part: keyof typeof typed) => ({
    value: typed[part],
    maxLength: MAX_NAME,
    spellCheck: false,
    dir: "auto" as const,
    required: part !== "code",
    wrong: part === "name" && course.code !== "" ? undefined : wrongIn(typed[part]),
    onType: (text: string) => setTyped({ ...typed, [part]: text }),
  });
  return (
    <Dialog title={words.newCourse} onClose={onClose}>
      <DialogForm change={make} request={request} label={words.make} onClose={onClose}>
        <TextField
          label={words.name}
          field="display_name"
          help={words.nameMeans}
          autoFocus
          {...field("name")}
        />
        <TextField
          {...field("name")}
          label={words.organisation}
          field="course_key"
          help={words.organisationMeans}
          list={`${id}-organisations`}
          value={course.organisation}
          wrong={wrongIn(course.organisation)}
          onType={setOrganisation}
        />
        <datalist id={`${id}-organisations`}>
          {organisations.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
        <TextField label={words.edition} help={words.editionMeans} {...field("edition")} />
        <details>
          <summary>{words.forPrograms}</summary>
          <TextField
            label={words.code}
            help={words.codeMeans}
            placeholder={codeFrom(course.name)}
            {...field("code")}
          />
        </details>
        <p className="small">
          {words.key} <code dir="ltr">{courseKey ?? "…"}</code>
        </p>
        <p className="small faint">{words.courseMeans}</p>
      </DialogForm>
    </Dialog>
  );
}
