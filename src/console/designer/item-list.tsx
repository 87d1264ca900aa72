import { type KeyboardEvent, useId, useState } from "react";
import { textFor } from "#foundation/languages/message.js";
import { AssetKind } from "#gen/learning_credentials/v1/configuration_pb.js";
import { Button } from "../components/button.js";
import { useChapter } from "../i18n/chapter.js";
import { valueAt } from "../options/merged-options.js";
import { isObject } from "../options/read-options.js";
import { UploadButton } from "../options/upload-button.js";
import { useAssets } from "../options/use-assets.js";
import { type Addition, added, hiddenTexts, pathOfOnly } from "./add-item.js";
import { ChoiceButton } from "./choice-button.js";
import type { Item } from "./items.js";
import { nameOfKind } from "./name-item.js";
import { PlaceholderOptions } from "./text-properties.js";
import type { DesignerState } from "./use-designer.js";

/** What is on the page, from top to bottom. Arrow keys lead from one to the next, Enter to the page. */
export function ItemList({ state }: { readonly state: DesignerState }) {
  const words = useChapter("designer");
  const { optionNames } = useChapter("designing");
  const { items, selected } = state;
  const current = items.find(({ path }) => path === selected.at(-1)) ?? items[0];

  function steer(event: KeyboardEvent<HTMLElement>, item: Item) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = by && items.at((items.indexOf(item) + by) % items.length);
    if (!next) return;
    event.preventDefault();
    state.select([next.path]);
    const list = event.currentTarget.closest("ul");
    list?.querySelector<HTMLElement>(`[data-item="${CSS.escape(next.path)}"]`)?.focus();
  }

  return (
    <ul className="designer-items" aria-label={words.items}>
      <li>
        <button type="button" aria-pressed={selected.length === 0} onClick={() => state.select([])}>
          {optionNames.page}
        </button>
      </li>
      {items.map((item) => (
        <li key={item.path}>
          <button
            type="button"
            data-item={item.path}
            aria-pressed={selected.includes(item.path)}
            data-printed={item.isPrinted}
            tabIndex={item === current ? 0 : -1}
            onClick={(event) => {
              const adds = event.shiftKey || event.ctrlKey || event.metaKey;
              const others = selected.filter((path) => path !== item.path);
              state.select(adds ? [...others, item.path] : [item.path]);
              if (event.detail === 0) focusOnPage(item);
            }}
            onKeyDown={(event) => steer(event, item)}
          >
            <bdi>{state.nameOf(item)}</bdi>
            {state.isInheriting && state.isOwn(item.path) && <span className="small"> · {words.own}</span>}
          </button>
        </li>
      ))}
      {!state.isReadOnly &&
        hiddenTexts(state.options).map((path) => (
          <li key={path}>
            <button
              type="button"
              onClick={() => {
                const typical = valueAt(state.inherited, path);
                state.set(path, isObject(typical) ? typical : state.isInheriting ? {} : undefined);
              }}
            >
              {words.showAgain({ item: textFor(words.texts, path.slice(path.indexOf(".") + 1)) ?? path })}
            </button>
          </li>
        ))}
    </ul>
  );
}

/** Enter in the list goes to the page, where arrow keys move. */
function focusOnPage({ path }: Item) {
  document.querySelector<HTMLElement>(`.stage-item[data-path="${CSS.escape(path)}"]`)?.focus();
}

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

/** Adds something to the page. What shows a file or a placeholder asks for it first. */
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
  const { layout, options } = state;
  if (!layout) return null;

  function add(what: Addition, wantedName: string) {
    if (!layout) return;
    const { options: after, path } = added(options, what, layout, wantedName);
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
