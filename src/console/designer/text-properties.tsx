import type { JsonValue } from "@bufbuild/protobuf";
import { useId, useRef, useState } from "react";
import { textFor } from "#foundation/languages/message.js";
import { MAX_TEXT_ELEMENT } from "#foundation/limits.js";
import { AssetKind } from "#gen/learning_credentials/v1/configuration_pb.js";
import { Button } from "../components/button.js";
import { CheckField, Options, SelectField } from "../components/fields.js";
import { lazily } from "../components/lazily.js";
import { useChapter, useFormats } from "../i18n/words.js";
import { useAssets } from "../options/use-assets.js";
import { textTemplateOf } from "./add-item.js";
import { ChoiceButton } from "./choice-button.js";
import { type Item, ownOptions } from "./items.js";
import { MeasureField } from "./measure-field.js";
import { meaningOfPlaceholder } from "./placeholder-meaning.js";
import type { DesignerState } from "./use-designer.js";

const FontDialog = lazily(() => import("./font-dialog.js"), "FontDialog");

/** Letters of several scripts. This text is used if the design has none. */
const SAMPLE = "Żofia Åström, 2026 · Ελένη · Олена";

export function TextProperties({
  state,
  item,
  fonts,
  placeholders,
}: {
  readonly state: DesignerState;
  readonly item: Item;
  readonly fonts: readonly string[];
  readonly placeholders: readonly string[];
}) {
  const words = useChapter("designer");
  const { optionNames } = useChapter("designing");
  const { number } = useFormats();
  const { options, isReadOnly } = state;
  const { path, text } = item;
  const own = ownOptions(options, path);
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const template = textTemplateOf(path, options);
  const set = (name: string) => (value: JsonValue | undefined) => state.set(`${path}.${name}`, value);
  const name = (option: string) => textFor(optionNames, `.${option}`) ?? option;
  const shownNumber = (option: string, otherwise = "") =>
    typeof own[option] === "number" ? number(own[option]) : otherwise;
  return (
    <>
      <div className="field">
        <label htmlFor={id}>{optionNames["text_elements.text"]}</label>
        <textarea
          id={id}
          ref={field}
          dir="auto"
          rows={2}
          maxLength={MAX_TEXT_ELEMENT}
          value={template}
          readOnly={isReadOnly}
          onChange={({ currentTarget: { value } }) => set("text")(value)}
        />
      </div>
      {!isReadOnly && (
        <ChoiceButton
          label={words.insert}
          onAdd={(chosen) => {
            const { selectionStart, selectionEnd } = field.current ?? {};
            const [from, to] = [selectionStart ?? template.length, selectionEnd ?? template.length];
            set("text")(`${template.slice(0, from)}${chosen}${template.slice(to)}`);
          }}
        >
          <PlaceholderOptions placeholders={placeholders} />
        </ChoiceButton>
      )}
      <FontField
        state={state}
        label={name("font")}
        value={own.font}
        sample={text?.words}
        fonts={fonts}
        onChoose={set("font")}
      />
      <div className="field-pair">
        <MeasureField
          label={words.size}
          shown={shownNumber("size", text ? number(text.requestedSize) : "")}
          isReadOnly={isReadOnly}
          onMeasure={set("size")}
        />
        <MeasureField
          label={name("char_space")}
          shown={shownNumber("char_space")}
          isReadOnly={isReadOnly}
          onMeasure={set("char_space")}
        />
      </div>
      <ColourField
        label={name("color")}
        value={own.color}
        seen={text?.color}
        isReadOnly={isReadOnly}
        onChoose={set("color")}
      />
      <SelectField
        label={name("align")}
        value={String(own.align ?? text?.align ?? "")}
        disabled={isReadOnly}
        onChoose={set("align")}
      >
        <Options of={["left", "center", "right"] as const} nameOf={(side) => words.sides[side]} />
      </SelectField>
      <fieldset className="stack">
        <legend className="small faint">{words.longTexts}</legend>
        <div className="field-pair">
          <MeasureField
            label={words.shrinkTo}
            shown={typeof own.shrink === "number" ? number(Math.round(own.shrink * 100)) : ""}
            isReadOnly={isReadOnly}
            onMeasure={(share) => set("shrink")(share === undefined ? share : share / 100)}
          />
          <MeasureField
            label={words.mostLines}
            shown={shownNumber("max_lines")}
            isReadOnly={isReadOnly}
            onMeasure={set("max_lines")}
          />
        </div>
      </fieldset>
      {(["uppercase", "small_caps"] as const).map((option) => (
        <CheckField
          key={option}
          label={name(option)}
          checked={own[option] === true}
          disabled={isReadOnly}
          onChoose={(isOn) => set(option)(isOn || undefined)}
        />
      ))}
    </>
  );
}

/** The placeholders as options of a select field. Omits those that users would have to complete. */
export function PlaceholderOptions({ placeholders }: { readonly placeholders: readonly string[] }) {
  const words = useChapter("designer");
  return placeholders
    .filter((each) => !each.includes("<"))
    .map((each) => (
      <option key={each} value={each}>
        {meaningOfPlaceholder(each, words)}
      </option>
    ));
}

export function FontField({
  state: { isReadOnly, request },
  label,
  value,
  sample = "",
  fonts,
  onChoose,
}: {
  readonly state: DesignerState;
  readonly label: string;
  readonly value: JsonValue | undefined;
  readonly sample?: string | undefined;
  readonly fonts: readonly string[];
  readonly onChoose: (font: string | undefined) => void;
}) {
  const words = useChapter("designer");
  const { colon } = useFormats();
  const [isOpen, setOpen] = useState(false);
  const uploaded = useAssets()?.filter(({ kind }) => kind === AssetKind.FONT) ?? [];
  const chosen = typeof value === "string" ? value : "";
  const named = [...fonts, ...uploaded.map(({ slug }) => slug)];
  const choices = ["", ...named];
  return (
    <div className="field-font">
      <SelectField
        label={label}
        value={chosen}
        disabled={isReadOnly}
        onChoose={(font) => onChoose(font || undefined)}
      >
        <Options
          of={choices.includes(chosen) ? choices : [...choices, chosen]}
          nameOf={(font) => font || words.ofDesign}
        />
      </SelectField>
      {!isReadOnly && (
        <Button variant="quiet" aria-label={`${words.samples}${colon}${label}`} onPress={() => setOpen(true)}>
          {words.samples}
        </Button>
      )}
      {isOpen && (
        <FontDialog
          label={label}
          fonts={named}
          sample={sample || SAMPLE}
          request={request}
          onChoose={(font) => {
            onChoose(font);
            setOpen(false);
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}

/** Selects a custom colour or one of the design's colours. If a design's colour changes later, the element follows. */
export function ColourField({
  label,
  value,
  seen,
  isNamed = true,
  isReadOnly,
  onChoose,
}: {
  readonly label: string;
  readonly value: JsonValue | undefined;
  /** Whether one of the design's colours can be selected. */
  readonly isNamed?: boolean;
  /** The colour that is printed, as `#rrggbb`. */
  readonly seen: string | undefined;
  readonly isReadOnly: boolean;
  readonly onChoose: (color: string | undefined) => void;
}) {
  const words = useChapter("designer");
  const { colon } = useFormats();
  const text = typeof value === "string" ? value : "";
  const [named = "", tint] = text.split("/");
  const isHex = /^#?[0-9a-f]/i.test(text) && textFor(words.colours, named) === undefined;
  const hex = full(isHex ? text : (seen ?? "#000000"));
  const choices = isNamed ? [...Object.keys(words.colours), ...(tint ? [text] : [])] : [];
  return (
    <div className="field-colour">
      <SelectField
        label={label}
        value={isHex ? "own" : text}
        disabled={isReadOnly}
        onChoose={(chosen) => onChoose(chosen === "own" ? hex : chosen || undefined)}
      >
        <option value="">{words.ofDesign}</option>
        {choices.map((choice) => {
          const [base = "", share] = choice.split("/");
          return (
            <option key={choice} value={choice}>
              {textFor(words.colours, base)} {share && `${share} %`}
            </option>
          );
        })}
        <option value="own">{words.ownColour}</option>
      </SelectField>
      <input
        type="color"
        aria-label={`${label}${colon}${words.ownColour}`}
        value={hex}
        disabled={isReadOnly}
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
      />
    </div>
  );
}

/** Returns a colour as `#rrggbb`, the only form that browsers accept in colour fields. */
function full(hex: string): string {
  const digits = hex.replace("#", "").toLowerCase();
  return `#${digits.length === 3 ? [...digits].map((digit) => digit + digit).join("") : digits}`;
}
