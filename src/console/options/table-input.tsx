import type { JsonValue } from "@bufbuild/protobuf";
import { useId } from "react";
import { useChapter } from "../i18n/words.js";
import { type Lines, readEntries, showEntries } from "./typed-value.js";
import { useTyped } from "./use-typed.js";

/** Names with texts or numbers, one per line. An empty line at the end adds another name. */
export function TableInput({
  value,
  of,
  isReadOnly,
  onChange,
}: {
  readonly value: JsonValue | undefined;
  readonly of: "text" | "number";
  readonly isReadOnly: boolean;
  readonly onChange: (value: JsonValue | undefined) => void;
}) {
  const id = useId();
  const words = useChapter("designing");
  const [lines, type] = useTyped<Lines>(value, showEntries, (typed) => readEntries(typed, of), onChange);
  const isEmpty = (line: Lines[number] | undefined) => line?.[0] === "" && line[1] === "";
  const shown: Lines = isReadOnly || isEmpty(lines.at(-1)) ? lines : [...lines, ["", ""]];
  const change = (at: number, line: Lines[number]) =>
    type(shown.map((each, index) => (index === at ? line : each)));
  return (
    <table className="option-table">
      <thead>
        <tr>
          <th scope="col" id={`${id}-name`}>
            {words.name}
          </th>
          <th scope="col" id={`${id}-value`}>
            {words.lineValue}
          </th>
        </tr>
      </thead>
      <tbody>
        {shown.map(([name, text], at) => {
          const isTwice = name !== "" && shown.findIndex(([other]) => other === name) !== at;
          const isNoNumber =
            of === "number" && name !== "" && typeof readEntries([[name, text]], of)[name] === "string";
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line keeps its place while its name is typed
            <tr key={at}>
              <td>
                <input
                  aria-labelledby={`${id}-name`}
                  aria-invalid={isTwice}
                  dir="auto"
                  autoComplete="off"
                  value={name}
                  readOnly={isReadOnly}
                  onChange={({ currentTarget }) => change(at, [currentTarget.value, text])}
                />
                {isTwice && <p className="fault">{words.nameTwice}</p>}
              </td>
              <td>
                <input
                  aria-labelledby={`${id}-value`}
                  aria-invalid={isNoNumber && text !== ""}
                  dir="auto"
                  inputMode={of === "number" ? "decimal" : undefined}
                  autoComplete="off"
                  value={text}
                  readOnly={isReadOnly}
                  onChange={({ currentTarget }) => change(at, [name, currentTarget.value])}
                />
                {isNoNumber && text !== "" && <p className="fault">{words.notNumber}</p>}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
