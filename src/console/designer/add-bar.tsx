import { useId, useState } from "react";
import { Toolbar } from "react-aria-components";
import { Button } from "../components/button.js";
import { lazily } from "../components/lazily.js";
import { ReactAriaLocale } from "../components/react-aria-locale.js";
import { useChapter } from "../i18n/words.js";
import { PICTURES } from "../options/file-formats.js";
import { type Addition, addElement, pathOfOnly } from "./add-item.js";
import { ChoiceButton } from "./choice-button.js";
import { nameOfKind } from "./name-item.js";
import { PlaceholderOptions } from "./text-properties.js";
import type { DesignerState } from "./use-designer.js";

const FileChooser = lazily(() => import("../options/file-chooser.js"), "FileChooser");

const ADDITIONS: readonly Addition[] = [
  "text",
  "placeholder",
  "image",
  "logo",
  "line",
  "rectangle",
  "facts",
  "signatures",
  "seal",
  "qr",
];

/** Adds an element to the page. For some elements, the user selects a file or placeholder first. */
export function AddItem({
  state,
  placeholders,
}: {
  readonly state: DesignerState;
  readonly placeholders: readonly string[];
}) {
  const words = useChapter("designer");
  const { addOption, optionNames } = useChapter("designing");
  const id = useId();
  const [choosing, setChoosing] = useState<Addition>();
  const { layout, options, items } = state;
  const selected = items.find(({ path }) => path === state.selected.at(-1));
  if (!layout) return null;

  function add(what: Addition, given: string) {
    if (!layout) return;
    const { options: after, path } = addElement(options, what, { layout, items, selected }, given);
    state.add(after, path);
    state.say(words.isAdded({ item: nameOfKind(what, words, optionNames) }));
    if (what === "placeholder") setChoosing(undefined); // the file chooser closes on its own
  }

  return (
    <>
      <ReactAriaLocale>
        <Toolbar className="designer-add" aria-label={addOption}>
          <span className="small faint">{addOption}</span>
          {ADDITIONS.map((what) => (
            <Button
              key={what}
              id={`${id}-${what}`}
              variant="quiet"
              aria-expanded={what === "placeholder" ? choosing === what : undefined}
              aria-haspopup={what === "image" || what === "logo" ? "dialog" : undefined}
              onPress={() => {
                const there = pathOfOnly(options, what);
                if (there) state.select([there]);
                else if (offersChoice(what)) setChoosing(choosing === what ? undefined : what);
                else add(what, what === "text" ? words.newText : "");
              }}
            >
              {nameOfKind(what, words, optionNames)}
            </Button>
          ))}
        </Toolbar>
      </ReactAriaLocale>
      {choosing === "placeholder" && (
        <ChoiceButton label={words.which} onAdd={(chosen) => add(choosing, chosen)}>
          <PlaceholderOptions placeholders={placeholders} />
        </ChoiceButton>
      )}
      {choosing && choosing !== "placeholder" && (
        <FileChooser
          label={nameOfKind(choosing, words, optionNames)}
          kinds={PICTURES}
          onChoose={(slug) => add(choosing, slug)}
          onClose={() => setChoosing(undefined)}
        />
      )}
    </>
  );
}

function offersChoice(what: Addition): boolean {
  return what === "placeholder" || what === "image" || what === "logo";
}
