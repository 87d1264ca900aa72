import type { JsonObject } from "@bufbuild/protobuf";
import { type ReactNode, useId, useState } from "react";
import { isPathKey, keyParts } from "#foundation/text/key-parts.js";
import { mergeOptions } from "#foundation/text/merge-options.js";
import type { CredentialConfiguration } from "#gen/learning_credentials/v1/configuration_pb.js";
import type { AssessedCourse } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { Button } from "../components/button.js";
import { CheckField } from "../components/fields.js";
import type { Choice } from "../components/picker.js";
import { useChapter } from "../i18n/words.js";
import { changedOwn } from "../options/change-options.js";
import { isJsonObject } from "../options/read-options.js";
import { useFunctions } from "../options/use-functions.js";
import { REQUIRED_STEPS, requirementsOf, STEPS } from "./required.js";
import { RequiredFields } from "./required-fields.js";
import { Sentences } from "./sentences.js";
import { problemIn } from "./tree.js";
import { TryRequirements } from "./try-requirements.js";
import { useEligibility } from "./use-eligibility.js";

const NONE: JsonObject = {};

export type SavedOffer = Pick<CredentialConfiguration, "id" | "customOptions">;

interface RequirementsProps {
  readonly retrievalFunc: string;
  readonly own: JsonObject;
  /** Options of the type that `own` overrides; undefined if the type itself is edited. */
  readonly inherited: JsonObject | undefined;
  readonly isReadOnly: boolean;
  /** The context in which the requirements are tested at first. */
  readonly context: Choice | undefined;
  /** Whether the requirements apply in this context only, so the user can't select another one for testing. */
  readonly isFixed: boolean;
  /** Returns the saved configuration in a course or path, if there is one. */
  readonly offerIn?: ((learningContextKey: string) => SavedOffer | undefined) | undefined;
  /** The error that the service found in the requirements when they were saved. */
  readonly problem?: string | undefined;
  /** undefined if the function can't be changed here. */
  readonly onFunction: ((name: string, own: JsonObject) => void) | undefined;
  readonly onChange: (own: JsonObject) => void;
}

/** Describes who gets a credential in sentences, in a form and in a test with enrolled learners. */
export function Requirements({
  retrievalFunc,
  own,
  inherited,
  isReadOnly,
  context: contextOfOffer,
  isFixed,
  offerIn,
  problem,
  onFunction,
  onChange,
}: RequirementsProps) {
  const functions = useFunctions();
  const [chosen, setChosen] = useState<Choice>();
  const [username, setUsername] = useState("");
  const [fn] = functions.of({ retrievalFunc });
  const base = inherited ?? NONE;
  const options = mergeOptions(base, own);
  const names = [...requirementsOf(fn).all.map(({ name }) => name), STEPS, REQUIRED_STEPS];
  const context = chosen ?? contextOfOffer;
  const offer = context && offerIn?.(context.key);
  const isOfType = inherited === undefined;
  const eligibility = useEligibility({
    retrievalFunc,
    typeOptions: pickOptions(names, isOfType ? own : base),
    customOptions: pickOptions(names, isOfType ? (offer?.customOptions ?? NONE) : own),
    learningContextKey: context?.key,
    username,
    configurationId: isReadOnly ? 0 : (offer?.id ?? 0),
  });
  const wrong = problem || eligibility.data?.problem;
  const courses = eligibility.data?.courses ?? [];
  const nameOf = (key: string) => courseName(courses, key);
  const change = (after: JsonObject) => onChange(changedOwn(base, own, { before: options, after }));
  const isOwn = inherited !== undefined && names.some((name) => Object.hasOwn(own, name));
  const isPath = isPathKey(context?.key ?? "") || isJsonObject(options[STEPS]);
  return (
    <div className="stack">
      <div className="lead">
        <Sentences retrievalFunc={retrievalFunc} options={options} nameOf={nameOf} />
      </div>
      {isOwn && (
        <TypeRequirements
          retrievalFunc={retrievalFunc}
          options={base}
          nameOf={nameOf}
          onReset={isReadOnly ? undefined : () => onChange(without(names, own))}
        />
      )}
      {!isReadOnly && (
        <>
          {onFunction && (
            <FunctionChoice retrievalFunc={retrievalFunc} own={own} names={names} onFunction={onFunction} />
          )}
          <RequiredFields
            options={options}
            fn={fn}
            courses={courses}
            tree={{ contextKey: context?.key, nameOf, problem: wrong ? problemIn(wrong) : undefined }}
            onChange={change}
          />
          {isPath && !requirementsOf(fn).isTree && (
            <Steps options={options} courses={courses} names={names} nameOf={nameOf} onChange={change}>
              {(step, course, write) => (
                <RequiredFields options={step} fn={fn} courses={course} onChange={write} />
              )}
            </Steps>
          )}
        </>
      )}
      <TryRequirements
        eligibility={eligibility}
        context={context}
        isCompared={offer !== undefined && !isReadOnly}
        onContext={isFixed ? undefined : setChosen}
        onLearner={setUsername}
      />
    </div>
  );
}

function courseName(courses: readonly AssessedCourse[], key: string): string {
  return courses.find(({ courseKey }) => courseKey === key)?.displayName || keyParts(key);
}

/** The requirements of the type, which those of the configuration override. */
function TypeRequirements({
  retrievalFunc,
  options,
  nameOf,
  onReset,
}: {
  readonly retrievalFunc: string;
  readonly options: JsonObject;
  readonly nameOf: (courseKey: string) => string;
  /** Removes the requirements of the configuration; undefined if they can't be changed. */
  readonly onReset: (() => void) | undefined;
}) {
  const words = useChapter("requirements");
  return (
    <div className="small">
      <div className="faint">
        {words.ofType({ sentence: "" })}
        <Sentences retrievalFunc={retrievalFunc} options={options} nameOf={nameOf} />
      </div>
      {onReset && (
        <Button variant="quiet" onPress={onReset}>
          {words.asInType}
        </Button>
      )}
    </div>
  );
}

function FunctionChoice({
  retrievalFunc,
  own,
  names,
  onFunction,
}: Pick<RequirementsProps, "retrievalFunc" | "own"> & {
  /** Names of the options that are requirements. */
  readonly names: readonly string[];
  readonly onFunction: (name: string, own: JsonObject) => void;
}) {
  const words = useChapter("requirements");
  const radios = useId();
  const functions = useFunctions();
  return (
    <fieldset className="stack">
      <legend className="small faint">{words.what}</legend>
      {functions.retrieving.map((each) => (
        <CheckField
          key={each.name}
          type="radio"
          name={radios}
          label={functions.meaningOf(each.name)}
          checked={each.name === retrievalFunc}
          onChoose={() => {
            // Options that the new function doesn't have are removed, because the service would refuse them.
            const taken = requirementsOf(each).all.map(({ name }) => name);
            onFunction(
              each.name,
              without(
                names.filter((name) => !taken.includes(name)),
                own,
              ),
            );
          }}
        />
      ))}
    </fieldset>
  );
}

/** The courses of a path. Each has either the path's requirements or its own. */
function Steps({
  options,
  courses,
  names,
  nameOf,
  onChange,
  children,
}: {
  readonly options: JsonObject;
  readonly courses: readonly AssessedCourse[];
  readonly names: readonly string[];
  readonly nameOf: (courseKey: string) => string;
  readonly onChange: (options: JsonObject) => void;
  /** Renders the fields for a course that has its own requirements. */
  readonly children: (
    step: JsonObject,
    course: readonly AssessedCourse[],
    write: (step: JsonObject) => void,
  ) => ReactNode;
}) {
  const words = useChapter("requirements");
  const steps = isJsonObject(options[STEPS]) ? options[STEPS] : NONE;
  const keys = [...new Set([...courses.map(({ courseKey }) => courseKey), ...Object.keys(steps)])];
  function write(key: string, step: JsonObject | undefined) {
    const { [key]: _, ...others } = steps;
    const changed = step ? { ...others, [key]: step } : others;
    const { [STEPS]: __, ...rest } = options;
    onChange(Object.keys(changed).length > 0 ? { ...rest, [STEPS]: changed } : rest);
  }
  return (
    <fieldset className="stack">
      <legend className="small faint">{words.steps}</legend>
      {keys.map((key) => {
        const step = steps[key];
        return (
          <fieldset key={key} className="stack option-group">
            <legend>
              <bdi>{nameOf(key)}</bdi>
            </legend>
            <CheckField
              label={words.sameAsPath}
              checked={!isJsonObject(step)}
              onChoose={(isSame) =>
                write(
                  key,
                  isSame
                    ? undefined
                    : pickOptions(
                        names.filter((name) => name !== STEPS),
                        options,
                      ),
                )
              }
            />
            {isJsonObject(step) &&
              children(
                step,
                courses.filter(({ courseKey }) => courseKey === key),
                (changed) => write(key, changed),
              )}
          </fieldset>
        );
      })}
    </fieldset>
  );
}

function pickOptions(names: readonly string[], options: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(options).filter(([name]) => names.includes(name)));
}

function without(names: readonly string[], options: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name)));
}
