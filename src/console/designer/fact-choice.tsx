import type { JsonObject } from "@bufbuild/protobuf";
import { useEffect, useRef } from "react";
import { Button } from "../components/button.js";
import { CheckField } from "../components/fields.js";
import { DownIcon, UpIcon } from "../components/icons.js";
import { useChapter, useFormats } from "../i18n/words.js";
import { examplesAt, valueAt } from "../options/change-options.js";
import { meaningOfPlaceholder } from "./placeholder-meaning.js";
import type { DesignerState } from "./use-designer.js";

/**
 * The facts to print, in their order on the document, and then the facts that can be added. They include results and
 * attributes in the course, and facts that were entered in the form.
 */
export function FactChoice({
  state,
  schema,
  placeholders,
}: {
  readonly state: DesignerState;
  readonly schema: JsonObject;
  readonly placeholders: readonly string[];
}) {
  const words = useChapter("designer");
  const { optionNames } = useChapter("designing");
  const { place, focusNext } = useNextFocus();
  const printedFacts = state.options.facts ?? valueAt(schema, "properties.facts.default");
  const printed = (Array.isArray(printedFacts) ? printedFacts : []).map(String);
  const own = placeholders
    .map((each) => each.slice(1, -1))
    .filter((name) => /^(?:grade|learner)\./.test(name) && !name.includes("<"));
  const all = new Set([...printed, ...examplesAt(schema, "facts.items"), ...own]);
  const nameOf = (fact: string) => meaningOfPlaceholder(`{${fact}}`, words);
  function move(fact: string, by: 1 | -1) {
    const to = printed.indexOf(fact) + by;
    const others = printed.filter((each) => each !== fact);
    const isLast = by === 1 ? to === others.length : to === 0;
    focusNext(fact, `[data-by="${isLast ? -by : by}"]`);
    state.set("facts", others.toSpliced(to, 0, fact));
    state.say(words.factIsAt({ fact: nameOf(fact), position: to + 1, count: printed.length }));
  }
  return (
    <fieldset className="stack">
      <legend className="small faint">{optionNames.facts}</legend>
      <ul className="fact-choice" ref={place}>
        {[...all].map((fact) => (
          <li key={fact} data-fact={fact}>
            <CheckField
              label={nameOf(fact)}
              checked={printed.includes(fact)}
              disabled={state.isReadOnly}
              onChoose={(isOn) => {
                focusNext(fact, "input");
                state.set("facts", isOn ? [...printed, fact] : printed.filter((each) => each !== fact));
              }}
            />
            {printed.length > 1 && printed.includes(fact) && !state.isReadOnly && (
              <MoveButtons
                name={nameOf(fact)}
                isFirst={fact === printed[0]}
                isLast={fact === printed.at(-1)}
                onMove={(by) => move(fact, by)}
              />
            )}
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

/** Focuses an element of a fact after the facts have changed their order, because elements that move lose the focus. */
function useNextFocus() {
  const place = useRef<HTMLUListElement>(null);
  const next = useRef<{ readonly fact: string; readonly selector: string }>(undefined);
  useEffect(() => {
    if (!next.current) return;
    const { fact, selector } = next.current;
    next.current = undefined;
    const row = [...(place.current?.children ?? [])].find((each) => each.getAttribute("data-fact") === fact);
    row?.querySelector<HTMLElement>(selector)?.focus();
  });
  return {
    place,
    focusNext(fact: string, selector: string) {
      next.current = { fact, selector };
    },
  };
}

function MoveButtons({
  name,
  isFirst,
  isLast,
  onMove,
}: {
  readonly name: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onMove: (by: 1 | -1) => void;
}) {
  const words = useChapter("designer");
  const { colon } = useFormats();
  return ([-1, 1] as const).map((by) => {
    const label = by === 1 ? words.moveDown : words.moveUp;
    return (
      <Button
        key={by}
        variant="quiet"
        aria-label={`${label}${colon}${name}`}
        title={label}
        data-by={by}
        isDisabled={by === 1 ? isLast : isFirst}
        onPress={() => onMove(by)}
      >
        {by === 1 ? <DownIcon /> : <UpIcon />}
      </Button>
    );
  });
}
