import type { Reading } from "#foundation/text/tables/decode-text.js";
import {
  type Encoding,
  encodings,
  encodingsByWritingSystem,
  type WritingSystem,
} from "#foundation/text/tables/encodings.js";
import { CheckField, Options, SelectField } from "../components/fields.js";
import { language } from "../i18n/preferences.js";
import { useChapter } from "../i18n/words.js";
import { useStore } from "../service/store.js";
import type { Choices } from "./uploaded-list.js";

type Choose = (choices: Choices) => void;

/** Number of encodings for which the resulting text is shown. A select field has the others. */
const MAX_EXAMPLES = 12;

/** Writing systems, with the tag of a language or script that names them. */
const tags: Readonly<Partial<Record<WritingSystem, string>>> = {
  cyrillic: "Cyrl",
  greek: "el",
  turkish: "tr",
  hebrew: "he",
  arabic: "ar",
  simplifiedChinese: "zh-Hans",
  traditionalChinese: "zh-Hant",
  japanese: "ja",
  korean: "ko",
  vietnamese: "vi",
  thai: "th",
  romanian: "ro",
};

function useEncodingNames(): (encoding: Encoding) => string {
  const words = useChapter("issuing").list.writings as Readonly<Partial<Record<WritingSystem, string>>>;
  const tag = useStore(language);
  const writings = Object.entries(encodingsByWritingSystem) as [WritingSystem, readonly Encoding[]][];
  return (encoding) => {
    const [writing = "unicode"] = writings.find(([, own]) => own.includes(encoding)) ?? [];
    if (writing === "unicode") return encoding.toUpperCase();
    const own = tags[writing] ?? "";
    const name =
      words[writing] ??
      new Intl.DisplayNames(tag, { type: own === "Cyrl" ? "script" : "language" }).of(own) ??
      writing;
    return `${name.slice(0, 1).toLocaleUpperCase(tag)}${name.slice(1)} (${encoding})`;
  };
}

export function EncodingField({
  label,
  encoding,
  onChoose,
}: {
  readonly label: string;
  readonly encoding: Encoding | undefined;
  readonly onChoose: Choose;
}) {
  const words = useChapter("issuing").list;
  const nameOf = useEncodingNames();
  return (
    <SelectField
      label={label}
      value={encoding ?? ""}
      onChoose={(value) => onChoose({ encoding: value as Encoding })}
    >
      {!encoding && (
        <option value="" disabled={true}>
          {words.chooseEncoding}
        </option>
      )}
      <Options of={encodings} nameOf={nameOf} />
    </SelectField>
  );
}

/**
 * Asks for the encoding of a file. Shows the names in the file as each encoding would read them. The service plans the
 * list only after the reader has answered. The answer can be changed later.
 */
export function EncodingChoice({
  readings,
  chosen,
  onChoose,
}: {
  readonly readings: readonly Reading[];
  readonly chosen: Encoding | undefined;
  readonly onChoose: Choose;
}) {
  const words = useChapter("issuing").list;
  const nameOf = useEncodingNames();
  const shown = readings.slice(0, MAX_EXAMPLES);
  const isShown = shown.some(({ encodings: [encoding] }) => encoding === chosen);
  return (
    <>
      <fieldset className="notice">
        <legend>{words.encoding}</legend>
        {shown.map(({ encodings: [encoding], cells }) => (
          <CheckField
            key={encoding}
            type="radio"
            name="encoding"
            label={
              <>
                <bdi>{cells.join(" · ")}</bdi>{" "}
                <span className="small faint">{encoding && nameOf(encoding)}</span>
              </>
            }
            checked={chosen === encoding}
            onChoose={() => encoding && onChoose({ encoding })}
          />
        ))}
      </fieldset>
      <EncodingField
        label={words.otherEncoding}
        encoding={isShown ? undefined : chosen}
        onChoose={onChoose}
      />
    </>
  );
}
