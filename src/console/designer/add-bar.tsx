import { useId, useState } from "react";
import { AssetKind } from "#gen/learning_credentials/v1/configuration_pb.js";
import { Button } from "../components/button.js";
import { useChapter } from "../i18n/chapter.js";
import { UploadButton } from "../options/upload-button.js";
import { useAssets } from "../options/use-assets.js";
import { type Addition, added, pathOfOnly } from "./add-item.js";
import { ChoiceButton } from "./choice-button.js";
import { nameOfKind } from "./name-item.js";
import { PlaceholderOptions } from "./text-properties.js";
import type { DesignerState } from "./use-designer.js";

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

/** Controls to add an element to the page. For elements with a file or placeholder, it is selected first. */
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
  const [asking, setAsking] = useState<Addition>();
  const pictures = useAssets()?.filter(({ kind }) => PICTURES.includes(kind)) ?? [];
  const { layout, options, items } = state;
  const selected = items.find(({ path }) => path === state.selected.at(-1));
  if (!layout) return null;

  function add(what: Addition, given: string) {
    if (!layout) return;
    const { options: after, path } = added(options, what, { layout, items, selected }, given);
    state.add(after, path);
    state.say(words.isAdded({ item: nameOfKind(what, words, optionNames) }));
    setAsking(undefined);
  }

  return (
    <fieldset className="designer-add" aria-label={addOption}>
      <span className="small faint">{addOption}</span>
      {ADDITIONS.map((what) => (
        <Button
          key={what}
          id={`${id}-${what}`}
          variant="quiet"
          aria-expanded={asks(what) ? asking === what : undefined}
          onPress={() => {
            const there = pathOfOnly(options, what);
            if (there) state.select([there]);
            else if (asks(what)) setAsking(asking === what ? undefined : what);
            else add(what, what === "text" ? words.newText : "");
          }}
        >
          {nameOfKind(what, words, optionNames)}
        </Button>
      ))}
      {asking && (
        <ChoiceButton
          label={asking === "placeholder" ? words.which : words.whichFile}
          {...(pictures.length === 0 && asking !== "placeholder" && { empty: words.noFile })}
          onAdd={(chosen) => add(asking, chosen)}
        >
          {asking === "placeholder" ? (
            <PlaceholderOptions placeholders={placeholders} />
          ) : (
            pictures.map(({ slug }) => <option key={slug}>{slug}</option>)
          )}
        </ChoiceButton>
      )}
      {asking && asking !== "placeholder" && (
        <UploadButton of={`${id}-${asking}`} onUploaded={(slug) => add(asking, slug)} />
      )}
    </fieldset>
  );
}

const PICTURES: readonly AssetKind[] = [AssetKind.PNG, AssetKind.JPEG, AssetKind.SVG];

function asks(what: Addition): boolean {
  return what === "placeholder" || what === "image" || what === "logo";
}
