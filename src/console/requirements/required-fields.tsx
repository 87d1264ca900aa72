import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { REQUIRED_GRADES, REQUIREMENTS } from "#foundation/text/merge-options.js";
import type { Function as CredentialFunction } from "#gen/learning_credentials/v1/configuration_pb.js";
import type { AssessedCourse } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { CheckField } from "../components/fields.js";
import { lazily } from "../components/lazily.js";
import { useChapter } from "../i18n/words.js";
import { OptionField, withOption } from "../options/option-input.js";
import { isJsonObject } from "../options/read-options.js";
import {
  COMPLETION,
  defaultOf,
  isPlain,
  LETTER,
  PASSED,
  PLATFORM_TOTAL,
  requirementsOf,
} from "./required.js";
import { GradeFields, LetterField, PercentField } from "./result-fields.js";
import { isShowable, type TreeProblem } from "./tree.js";

const TreeForm = lazily(() => import("./tree-form.js"), "TreeForm");

/** The requirements in a context, or in one course of a path. */
export function RequiredFields({
  options,
  fn,
  courses,
  tree,
  onChange,
}: {
  readonly options: JsonObject;
  readonly fn: CredentialFunction | undefined;
  /** The course, or the courses of the path, for suggestions. Empty until a context is selected and loaded. */
  readonly courses: readonly AssessedCourse[];
  /** For requirement trees: the context in which they are tested, and the error in the tree. */
  readonly tree?: {
    readonly contextKey: string | undefined;
    readonly nameOf: (courseKey: string) => string;
    readonly problem: TreeProblem | undefined;
  };
  readonly onChange: (options: JsonObject) => void;
}) {
  const words = useChapter("requirements");
  const { describable, all, isTree } = requirementsOf(fn);
  const set = (name: string, value: JsonValue | undefined) => onChange(withOption(options, name, value));
  const own = options[REQUIREMENTS];
  const isForm = tree && isTree && (own === undefined || isShowable(own));
  const inWords = [...describable].filter((name) => isPlain(fn, name, options[name]));
  return (
    <>
      {inWords.includes(REQUIRED_GRADES) && (
        <GradeFields
          grades={isJsonObject(options[REQUIRED_GRADES]) ? options[REQUIRED_GRADES] : {}}
          courses={courses}
          onChange={(grades) => set(REQUIRED_GRADES, grades)}
        />
      )}
      {inWords.includes(PLATFORM_TOTAL) && (
        <CheckField
          label={words.totalOfPlatform}
          checked={options[PLATFORM_TOTAL] === true}
          onChoose={(isOn) => set(PLATFORM_TOTAL, isOn || undefined)}
        />
      )}
      {inWords.includes(COMPLETION) && (
        <PercentField
          what={words.completion}
          value={options[COMPLETION]}
          otherwise={defaultOf(fn, COMPLETION)}
          onChange={(value) => set(COMPLETION, value)}
        />
      )}
      {inWords.includes(PASSED) && (
        <CheckField
          label={words.passed}
          checked={options[PASSED] === true}
          onChoose={(isOn) => set(PASSED, isOn || undefined)}
        />
      )}
      {inWords.includes(LETTER) && (
        <LetterField
          letter={String(options[LETTER] ?? "")}
          known={[...new Set(courses.flatMap(({ letterGrades }) => letterGrades))]}
          onChange={(letter) => set(LETTER, letter)}
        />
      )}
      {isForm && (
        <TreeForm {...tree} tree={own} courses={courses} onChange={(changed) => set(REQUIREMENTS, changed)} />
      )}
      <OtherFields
        of={all.filter(({ name }) => !inWords.includes(name) && !(isForm && name === REQUIREMENTS))}
        options={options}
        onChange={set}
      />
    </>
  );
}

/** The requirements that have no field of their own. */
function OtherFields({
  of,
  options,
  onChange,
}: {
  readonly of: ReturnType<typeof requirementsOf>["all"];
  readonly options: JsonObject;
  readonly onChange: (name: string, value: JsonValue | undefined) => void;
}) {
  return of.map((option) => (
    <OptionField
      key={option.name}
      path={option.name}
      option={option}
      value={options[option.name]}
      isReadOnly={false}
      onChange={(value) => onChange(option.name, value)}
    />
  ));
}
