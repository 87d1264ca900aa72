import type { JsonObject } from "@bufbuild/protobuf";
import type { LeafKind } from "#foundation/requirement-parts.js";
import { isPathKey } from "#foundation/text/key-parts.js";
import { Button } from "../components/button.js";
import { CheckField, Options, SelectField } from "../components/fields.js";
import { contextChoice } from "../contexts/context-choice.js";
import { ContextPicker } from "../contexts/context-picker.js";
import { useChapter, useFormats } from "../i18n/words.js";
import { ConfigurationPicker } from "../offers/configuration-picker.js";
import { isJsonObject } from "../options/read-options.js";
import { GradeFields, LetterField, PercentField } from "./result-fields.js";
import { type Binding, bindingOf, keysOf, moveEntry, withBinding } from "./tree.js";
import type { TreeScope } from "./tree-scope.js";
import { TypePicker } from "./type-picker.js";

interface LeafProps {
  readonly part: JsonObject;
  readonly position: string;
  readonly scope: TreeScope;
  readonly onChange: (part: JsonObject) => void;
}

export function LeafFields({ kind, ...props }: LeafProps & { readonly kind: LeafKind }) {
  const { part, scope, onChange } = props;
  const words = useChapter("requirements");
  const keys = keysOf(part);
  const courses = scope.courses.filter(({ courseKey }) =>
    keys.length > 0
      ? keys.includes(courseKey)
      : scope.contextKey === courseKey || isPathKey(scope.contextKey ?? ""),
  );
  return (
    <>
      {kind === "grade" && (
        <>
          <GradeFields
            grades={isJsonObject(part.grade) ? part.grade : {}}
            courses={courses}
            onChange={(grade) => onChange({ ...part, grade })}
          />
          <CheckField
            label={words.totalOfPlatform}
            checked={part.use_platform_total === true}
            onChoose={(isOn) => {
              const { use_platform_total: _, ...rest } = part;
              onChange(isOn ? { ...rest, use_platform_total: true } : rest);
            }}
          />
        </>
      )}
      {kind === "completion" && (
        <PercentField
          what={words.completion}
          value={part.completion}
          onChange={(completion) => onChange({ ...part, completion: completion ?? "" })}
        />
      )}
      {kind === "letter" && (
        <LetterField
          letter={String(part.letter ?? "")}
          known={[...new Set(courses.flatMap(({ letterGrades }) => letterGrades))]}
          onChange={(letter) => onChange({ ...part, letter: letter ?? "" })}
        />
      )}
      {kind === "holds" && <HeldFields {...props} />}
      <BindingFields kind={kind} {...props} />
    </>
  );
}

function HeldFields({ part, onChange }: LeafProps) {
  const holds = isJsonObject(part.holds) ? part.holds : {};
  if (bindingOf(part) === "offer")
    return (
      <ConfigurationPicker
        chosen={Number(holds.configuration_id) || undefined}
        onChoose={(id) => onChange({ ...part, holds: { configuration_id: id } })}
      />
    );
  return (
    <TypePicker
      chosen={Number(holds.credential_type_id) || undefined}
      onChoose={(id) => onChange({ ...part, holds: { credential_type_id: id } })}
    />
  );
}

/** Fields for the course to which a requirement applies. */
function BindingFields({ kind, part, position, scope, onChange }: LeafProps & { readonly kind: LeafKind }) {
  const words = useChapter("trees");
  const { colon } = useFormats();
  const binding = bindingOf(part);
  const isHeld = kind === "holds";
  const choices: readonly Binding[] = isHeld
    ? ["context", "course", "runs", "anywhere", "offer"]
    : ["context", "course", "runs"];
  const keys = keysOf(part);
  const write = (changed: readonly string[]) =>
    onChange(binding === "runs" ? { ...part, runs: [...changed] } : { ...part, course: changed[0] ?? "" });
  const picker = (key: string, at: number, label: string) => (
    <ContextPicker
      label={label}
      chosen={key === "" ? undefined : contextChoice(key, scope.nameOf(key))}
      onChoose={(chosen) => write(keys.with(at, chosen.key))}
    />
  );
  return (
    <>
      <SelectField
        label={words.where}
        value={binding}
        onChoose={(chosen) => onChange(withBinding(part, chosen as Binding))}
      >
        <Options
          of={choices}
          nameOf={(each) =>
            isHeld ? words.heldIn[each] : words.resultIn[each as "context" | "course" | "runs"]
          }
        />
      </SelectField>
      {binding === "course" && picker(keys[0] ?? "", 0, isHeld ? words.courseOrPath : words.course)}
      {binding === "runs" && (
        <>
          <ol className="tree-runs">
            {keys.map((key, at) => {
              const label = words.run({ number: at + 1 });
              const name = `${position}, ${label}`;
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: a run is identified only by its place
                <li key={at}>
                  {picker(key, at, label)}
                  <Button
                    variant="quiet"
                    aria-label={`${words.up}${colon}${name}`}
                    isDisabled={at === 0}
                    onPress={() => write(moveEntry(keys, at, -1))}
                  >
                    {words.up}
                  </Button>
                  <Button
                    variant="quiet"
                    aria-label={`${words.remove}${colon}${name}`}
                    isDisabled={keys.length === 1}
                    onPress={() => write(keys.filter((_, index) => index !== at))}
                  >
                    {words.remove}
                  </Button>
                </li>
              );
            })}
          </ol>
          <div className="actions">
            <Button aria-label={`${words.addRun}${colon}${position}`} onPress={() => write([...keys, ""])}>
              {words.addRun}
            </Button>
          </div>
        </>
      )}
    </>
  );
}
