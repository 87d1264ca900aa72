import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { useRef, useState } from "react";
import { type PreviewLayout, PreviewStamp } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import type { PreviewRequest } from "../components/design-preview.js";
import { useChapter } from "../i18n/chapter.js";
import { useFormats } from "../i18n/words.js";
import { changedOwn, mergedOptions, valueAt, withValue } from "../options/merged-options.js";
import { isObject, optionsText } from "../options/read-options.js";
import { isSame } from "../options/same-value.js";
import { duplicated, without } from "./add-item.js";
import { type Item, itemsOf, type Rectangle, union } from "./items.js";
import {
  aligned,
  distributed,
  type Edge,
  expected,
  moved,
  type Offset,
  POINTS_IN_MM,
  resized,
  withinMargins,
} from "./move-items.js";
import { nameOfItem } from "./name-item.js";
import { withOnePage } from "./one-page.js";
import { useLivePreview } from "./use-live-preview.js";

/** What is designed, and how its changes are kept. */
export interface Designed {
  /** The options that are edited. */
  readonly own: JsonObject;
  /** Those of the type over which they are merged; undefined if the type itself is edited. */
  readonly inherited: JsonObject | undefined;
  readonly isReadOnly: boolean;
  previewOf(own: JsonObject): PreviewRequest;
  /** @param what is changed: changes of the same that follow each other closely are one step */
  onChange(own: JsonObject, what?: string): void;
}

export type DesignerState = ReturnType<typeof useDesigner>;

const NONE: JsonObject = {};

/** A design, its preview, and what can be done with it. */
export function useDesigner({ own, inherited = NONE, isReadOnly, previewOf, onChange }: Designed) {
  const words = useChapter("designer");
  const { optionNames } = useChapter("designing");
  const { number } = useFormats();
  const [selected, select] = useState<readonly string[]>([]);
  const [tried, setTried] = useState<JsonObject>();
  const fresh = useRef<{ readonly path: string; readonly from: Element | null }>(undefined);
  const [said, say] = useState("");
  const [sample, setSample] = useState({ userFullName: "", learningContextName: "" });
  const stored = useStable(mergedOptions(inherited, own));
  const options = tried ?? stored;
  const ownOf = (after: JsonObject) => changedOwn(inherited, own, { before: stored, after });
  const request = {
    ...previewOf(withoutNameless(tried ? ownOf(tried) : own)),
    ...sample,
    stamp: PreviewStamp.CORNER,
    lenient: true,
  };
  const { shown, error } = useLivePreview(options, request);
  const layout = shown?.answer.layout;
  const laid = layout ? itemsOf(layout, shown.options) : [];
  const items = layout ? expected(laid, layout, shown.options, options) : [];
  const mm = (points: number, digits = 2) => number(Number((points / POINTS_IN_MM).toFixed(digits)));

  function change(changed: JsonObject, what?: string) {
    const after = withOnePage(stored, changed);
    setTried(undefined);
    if (after.template !== stored.template && after.shapes !== changed.shapes)
      say(words.pageReplaced({ name: String(after.template) }));
    if (!isSame(after, stored)) onChange(ownOf(after), what);
  }
  function tell(moved: readonly Item[], after: JsonObject) {
    if (!layout || !shown) return;
    const paths = moved.map(({ path }) => path);
    const there = expected(laid, layout, shown.options, after).filter(({ path }) => paths.includes(path));
    const [first] = there;
    if (!first) return;
    const { x, y } = there.length === 1 ? first.anchor : union(there.map(({ box }) => box));
    const name =
      there.length === 1
        ? nameOfItem(first, options, words, optionNames)
        : words.several({ n: there.length });
    say(words.isAt({ item: name, x: mm(x, 1), y: mm(y, 1) }));
  }
  function move(offsets: ReadonlyMap<Item, Offset>) {
    if (!layout) return;
    const after = moved(options, layout, offsets, items);
    tell([...offsets.keys()], after);
    change(after, `move ${[...offsets.keys()].map(({ path }) => path).join()}`);
  }
  function resize(item: Item, by: Offset) {
    if (!layout) return;
    const after = resized(options, layout, item, by);
    change(after, `resize ${item.path}`);
    say(words.isResized({ item: nameOfItem(item, options, words, optionNames) }));
  }
  return {
    /** What the options come to. */
    options,
    inherited,
    isInheriting: inherited !== NONE,
    own,
    isReadOnly,
    layout,
    pdf: shown?.answer.pdf,
    error,
    items,
    selected,
    select,
    said,
    say,
    mm,
    sample,
    setSample,
    request,
    /** Whether someone who signs has no name yet, and is left out of the preview. */
    isNameless: withoutNameless(options) !== options,
    change,
    /** What is added gets the focus as soon as it is on the page, unless that has gone elsewhere meanwhile. */
    add(after: JsonObject, path: string) {
      fresh.current = { path, from: document.activeElement };
      change(after);
      select([path]);
    },
    /** For the `ref` of what is on the page. */
    focusFresh(button: HTMLElement | null) {
      const added = fresh.current;
      if (!button || !added || button.dataset.path !== added.path) return;
      fresh.current = undefined;
      if ([added.from, document.body].includes(document.activeElement)) button.focus({ preventScroll: true });
    },
    move,
    resize,
    nameOf: (item: Item) => nameOfItem(item, options, words, optionNames),
    set: (path: string, value: JsonValue | undefined) => change(withValue(options, path, value), path),
    /** Whether a configuration has this otherwise than its type. */
    isOwn: (path: string) => inherited !== NONE && !isSame(valueAt(options, path), valueAt(inherited, path)),
    tryMove(offsets: ReadonlyMap<Item, Offset>, from: PreviewLayout, all: readonly Item[]) {
      setTried(moved(stored, from, offsets, all));
    },
    tryResize(item: Item, by: Offset, from: PreviewLayout) {
      setTried(resized(stored, from, item, by));
    },
    /** @param isMeant whether what was tried is kept */
    endTrying(isMeant: boolean) {
      if (!tried) return;
      if (isMeant) {
        tell(
          items.filter(({ path }) => selected.includes(path)),
          tried,
        );
        change(tried);
      } else setTried(undefined);
    },
    remove(them: readonly Item[]) {
      change(
        without(
          options,
          them.map(({ path }) => path),
        ),
      );
      say(
        words.isRemoved({
          item: them.map((item) => nameOfItem(item, options, words, optionNames)).join(", "),
        }),
      );
      select([]);
    },
    duplicate(them: readonly Item[]) {
      const { options: after, paths } = duplicated(
        options,
        them.map(({ path }) => path),
      );
      change(after);
      select(paths);
    },
    align: (them: readonly Item[], edge: Edge) => move(aligned(them, edge, groundOf(them, layout))),
    distribute: (them: readonly Item[], axis: "x" | "y") => move(distributed(them, axis)),
    openProperties() {
      document
        .querySelector<HTMLElement>(".designer-properties :is(input, select, textarea, button)")
        ?.focus();
    },
    leaveProperties() {
      document.querySelector<HTMLElement>('.stage-item[aria-pressed="true"]')?.focus();
    },
  };
}

/** Without those who sign and have no name yet: no document is made with one. */
function withoutNameless(options: JsonObject): JsonObject {
  const { signatories } = options;
  if (!Array.isArray(signatories)) return options;
  const named = signatories.filter((each) => !isObject(each) || each.name);
  return named.length === signatories.length ? options : { ...options, signatories: named };
}

/** One is aligned on the page, several among themselves. */
function groundOf(items: readonly Item[], layout: PreviewLayout | undefined): Rectangle {
  if (items.length > 1 || !layout) return union(items.map(({ box }) => box));
  return withinMargins(layout);
}

/** The same object as long as it says the same. */
function useStable(value: JsonObject): JsonObject {
  const text = optionsText(value);
  const [stable, setStable] = useState({ text, value });
  if (stable.text === text) return stable.value;
  setStable({ text, value });
  return value;
}
