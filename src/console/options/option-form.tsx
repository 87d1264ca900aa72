import type { JsonObject } from "@bufbuild/protobuf";
import { type ReactNode, type RefObject, useRef, useState } from "react";
import { REQUIREMENTS } from "#foundation/text/merge-options.js";
import {
  type Function as CredentialFunction,
  FunctionKind,
} from "#gen/learning_credentials/v1/configuration_pb.js";
import { AddRow } from "../components/add-row.js";
import { SelectField } from "../components/fields.js";
import type { Chapters } from "../i18n/load-chapter.js";
import { useChapter } from "../i18n/words.js";
import { asJson, labelOf, OptionField, withOption } from "./option-input.js";
import { OptionRow } from "./option-row.js";
import { COMMON, type Option, readOptionSchema } from "./option-schema.js";

interface Group {
  readonly title: string;
  readonly options: readonly Option[];
}

/** An error that the service has found in the options. */
export interface OptionsProblem {
  /** undefined if the error concerns several options. */
  readonly option: string | undefined;
  readonly text: ReactNode;
}

/** Fields for the options that are set, and a list from which other options can be added. */
export function OptionForm({
  options,
  functions,
  isReadOnly,
  problem,
  onChange,
}: {
  readonly options: JsonObject;
  readonly functions: readonly CredentialFunction[];
  readonly isReadOnly: boolean;
  readonly problem: OptionsProblem | undefined;
  readonly onChange: (options: JsonObject) => void;
}) {
  const words = useChapter("designing");
  /** Options whose fields are visible even if they have no value. */
  const [opened, setOpened] = useState<readonly string[]>(() => Object.keys(options));
  const [added, setAdded] = useState<string>();
  const others = useRef<HTMLSelectElement>(null);
  const isOpen = ({ name }: Option) =>
    Object.hasOwn(options, name) || opened.includes(name) || name === problem?.option;
  const groups = groupsOf(functions, options, words);
  const isElsewhere =
    problem?.option === REQUIREMENTS ||
    groups.some((group) => group.options.some(({ name }) => name === problem?.option));
  return (
    <>
      {groups.map((group) => (
        <OptionGroup key={group.title} title={group.title}>
          {group.options.filter(isOpen).map((option) => (
            <OptionRow
              key={option.name}
              label={labelOf(option.name, words)}
              isNew={option.name === added}
              isReadOnly={isReadOnly}
              onRemove={() => {
                others.current?.focus(); // moves the focus from the button, which is about to disappear
                setOpened(opened.filter((name) => name !== option.name));
                onChange(withOption(options, option.name, undefined));
              }}
            >
              <OptionField
                path={option.name}
                option={option}
                value={options[option.name]}
                isReadOnly={isReadOnly}
                problem={problem?.option === option.name && problem.text}
                onChange={(value) => {
                  if (!opened.includes(option.name)) setOpened([...opened, option.name]);
                  onChange(withOption(options, option.name, value));
                }}
              />
            </OptionRow>
          ))}
        </OptionGroup>
      ))}
      {!isElsewhere && problem?.text}
      {!isReadOnly && (
        <AddOption
          choice={others}
          groups={groups.map((group) => ({
            ...group,
            options: group.options.filter((option) => !isOpen(option)),
          }))}
          onAdd={(name) => {
            setOpened([...opened, name]);
            setAdded(name);
          }}
        />
      )}
    </>
  );
}

function OptionGroup({ title, children }: { readonly title: string; readonly children: ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <fieldset className="stack">
      <legend className="option-kind">{title}</legend>
      {children}
    </fieldset>
  );
}

function AddOption({
  choice,
  groups,
  onAdd,
}: {
  readonly choice: RefObject<HTMLSelectElement | null>;
  readonly groups: readonly Group[];
  readonly onAdd: (name: string) => void;
}) {
  const words = useChapter("designing");
  const [chosen, setChosen] = useState("");
  const isThere = groups.some(({ options }) => options.some(({ name }) => name === chosen));
  return (
    <AddRow onAdd={() => onAdd(chosen)}>
      <SelectField
        label={words.anotherOption}
        ref={choice}
        required
        value={isThere ? chosen : ""}
        onChoose={setChosen}
      >
        <option value="">{words.notSet}</option>
        {groups.map(({ title, options }) => (
          <optgroup key={title} label={title}>
            {options.map(({ name }) => (
              <option key={name} value={name}>
                {labelOf(name, words)}
              </option>
            ))}
          </optgroup>
        ))}
      </SelectField>
    </AddRow>
  );
}

/** The option whose values are the options of individual courses of a path. */
const STEPS = "steps";

/** Returns the groups of options. Omits requirements, because they have a form of their own. */
function groupsOf(
  functions: readonly CredentialFunction[],
  options: JsonObject,
  words: Chapters["designing"],
): readonly Group[] {
  const byFunction = functions.map(({ kind, optionSchema }) => ({
    kind,
    options: readOptionSchema(optionSchema),
  }));
  const of = (wanted: FunctionKind) =>
    byFunction.flatMap(({ kind, options }) => (kind === wanted ? options : []));
  const isCommon = ({ name }: Option) => COMMON.includes(name);
  const generation = of(FunctionKind.GENERATION);
  const names = new Set([STEPS, ...byFunction.flatMap((each) => each.options.map(({ name }) => name))]);
  const unknown = Object.keys(options).filter((name) => !names.has(name));
  return [
    { title: words.design, options: generation.filter((option) => !isCommon(option)) },
    { title: words.otherOptions, options: [...generation.filter(isCommon), ...unknown.map(asJson)] },
  ];
}
