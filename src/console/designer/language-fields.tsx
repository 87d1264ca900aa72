import type { JsonObject } from "@bufbuild/protobuf";
import { useEffect, useRef, useState } from "react";
import { languages, languageTags } from "#foundation/languages/list.js";
import { textFor } from "#foundation/languages/message.js";
import { MAX_NAME } from "#foundation/limits.js";
import { Options, SelectField, TextField } from "../components/fields.js";
import { useChapter, useWords } from "../i18n/words.js";
import { withValue } from "../options/change-options.js";
import { ChoiceButton } from "./choice-button.js";
import { ownOptions } from "./items.js";
import type { DesignerState } from "./use-designer.js";

export function LanguageFields({
  state,
  names,
}: {
  readonly state: DesignerState;
  /** Names of all options in the schema. Fields for other options are not shown. */
  readonly names: readonly string[];
}) {
  const { optionNames, notSet } = useChapter("designing");
  const { shell } = useWords();
  const { options, isReadOnly, set } = state;
  const [opened, setOpened] = useState<readonly string[]>([]);
  const fields = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    const inputs = fields.current?.querySelectorAll("input") ?? [];
    if (opened.length > 0) [...inputs].at(-1)?.focus();
  }, [opened.length]);
  const titles = ownOptions(options, "titles");
  const chosen = [options.language, options.second_language].filter((tag) => typeof tag === "string");
  const shown = [...new Set([...chosen, ...Object.keys(titles), ...opened])];
  const setTitle = (tag: string, title: string) => {
    const { titles: changed } = withValue({ titles }, `titles.${tag}`, title || undefined);
    set("titles", Object.keys(changed as JsonObject).length > 0 ? changed : undefined);
  };
  return (
    <>
      {["language", "second_language"]
        .filter((name) => names.includes(name))
        .map((name) => {
          const value = String(options[name] ?? "");
          return (
            <SelectField
              key={name}
              label={textFor(optionNames, name)}
              value={value}
              disabled={isReadOnly}
              onChoose={(tag) => set(name, tag || undefined)}
            >
              <option value="">{notSet}</option>
              <Options
                of={[...new Set([...languageTags, ...(value ? [value] : [])])]}
                nameOf={languageName}
              />
            </SelectField>
          );
        })}
      {names.includes("titles") && (
        <fieldset className="stack" ref={fields}>
          <legend className="small faint">{optionNames.titles}</legend>
          {shown.map((tag) => (
            <TextField
              key={tag}
              label={languageName(tag)}
              lang={tag}
              dir="auto"
              maxLength={MAX_NAME}
              value={String(titles[tag] ?? "")}
              readOnly={isReadOnly}
              onType={(title) => setTitle(tag, title)}
            />
          ))}
          {!isReadOnly && (
            <ChoiceButton label={shell.language} onAdd={(tag) => setOpened([...opened, tag])}>
              <Options of={languageTags.filter((tag) => !shown.includes(tag))} nameOf={languageName} />
            </ChoiceButton>
          )}
        </fieldset>
      )}
    </>
  );
}

function languageName(tag: string): string {
  return Object.hasOwn(languages, tag) ? languages[tag as keyof typeof languages].name : tag;
}
