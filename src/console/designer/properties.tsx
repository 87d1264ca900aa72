import type { JsonObject } from "@bufbuild/protobuf";
import { useRef } from "react";
import { textFor } from "#foundation/languages/message.js";
import { Button } from "../components/button.js";
import { useChapter, useFormats, useList } from "../i18n/words.js";
import { BADGE_SHAPE, BadgeAccent } from "../options/badge-shape-input.js";
import { examplesAt, valueAt, withValue } from "../options/change-options.js";
import { labelOf, OptionField } from "../options/option-input.js";
import { type Option, type OptionInput, readOptionSchema } from "../options/option-schema.js";
import { canJoin } from "./blocks.js";
import { ChoiceButton } from "./choice-button.js";
import { collisionsOf } from "./collisions.js";
import { FactChoice } from "./fact-choice.js";
import { type Item, type ItemKind, ownOptions } from "./items.js";
import { collisionJudgements, judged, lacksLogo } from "./judged-text.js";
import { LanguageFields } from "./language-fields.js";
import { MeasureField } from "./measure-field.js";
import { MissingLogo } from "./missing-logo.js";
import { type Edge, POINTS_IN_MM, resizing, rounded } from "./move-items.js";
import { ColourField, FontField, TextProperties } from "./text-properties.js";
import type { DesignerState } from "./use-designer.js";

/** Options of the page, and options of each kind of item. */
const PAGE_OPTIONS = ["page", "template", "mirror"];
const OPTIONS_BY_KIND: Partial<Record<ItemKind, readonly string[]>> = {
  logo: ["logo"],
  facts: ["hours", "credits", "labels"],
  signatures: ["signatories"],
  seal: ["seal"],
};

/** Options that have special fields. Positions and sizes are shown in millimetres. */
const OPTIONS_WITH_OWN_FIELD = [
  ...["x", "y", "width", "height", "block", "font", "color", "align", "kind"],
  ...["hidden", "locked", "group"],
];
const TEXT_OPTIONS = [
  "text",
  "size",
  "char_space",
  "max_width",
  "max_lines",
  "shrink",
  "uppercase",
  "small_caps",
];

interface PropertiesProps {
  readonly state: DesignerState;
  readonly schema: JsonObject;
  readonly placeholders: readonly string[];
}

/** The properties of the selection or, if nothing is selected, of the page. */
export function Properties({ state: designer, schema, placeholders }: PropertiesProps) {
  const words = useChapter("designer");
  const { optionNames } = useChapter("designing");
  const chosen = designer.items.filter(({ path }) => designer.selected.includes(path));
  const [item] = chosen;
  const isLocked = chosen.length > 0 && chosen.every((each) => each.isLocked);
  const state = isLocked ? { ...designer, isReadOnly: true } : designer;
  return (
    <section
      className="designer-properties card"
      aria-label={words.properties}
      onKeyDown={({ key, target, currentTarget }) => {
        const isInDialog = !currentTarget.contains(target as Node);
        if (key === "Escape" && !isInDialog) state.leaveProperties();
      }}
    >
      <h2>
        {item === undefined
          ? optionNames.page
          : chosen.length > 1
            ? words.several({ n: chosen.length })
            : state.nameOf(item)}
      </h2>
      {item === undefined ? (
        <PageProperties state={state} schema={schema} />
      ) : (
        <>
          {!designer.isReadOnly && <Acts state={designer} chosen={chosen} />}
          {chosen.length === 1 && (
            <>
              <Verdict state={state} item={item} />
              {!item.isHidden && <Measures state={state} item={item} />}
            </>
          )}
          {!state.isReadOnly && !item.isHidden && <Alignment state={state} chosen={chosen} />}
          {chosen.length === 1 && (
            <ItemProperties
              key={item.path}
              state={state}
              item={item}
              schema={schema}
              placeholders={placeholders}
            />
          )}
        </>
      )}
    </section>
  );
}

/**
 * A button for the menu of actions on the selected items, and buttons that unlock locked items and show hidden ones.
 */
function Acts({ state, chosen }: { readonly state: DesignerState; readonly chosen: readonly Item[] }) {
  const words = useChapter("designer");
  const locked = chosen.filter(({ isLocked }) => isLocked);
  const hidden = chosen.filter(({ isHidden, isLocked }) => isHidden && !isLocked);
  const place = useRef<HTMLDivElement>(null);
  return (
    <>
      <div className="designer-acts" ref={place}>
        <Button
          aria-haspopup="menu"
          onPress={() => {
            const { left = 0, bottom = 0 } = place.current?.getBoundingClientRect() ?? {};
            state.openMenu({ x: left, y: bottom });
          }}
        >
          {words.actions}
        </Button>
        {locked.length > 0 && (
          <Button variant="quiet" onPress={() => state.setLocked(locked, false)}>
            {words.acts.unlock}
          </Button>
        )}
        {hidden.length > 0 && (
          <Button variant="quiet" onPress={() => state.setHidden(hidden, false)}>
            {words.acts.show}
          </Button>
        )}
      </div>
      {locked.length > 0 && <p className="small faint">{words.lockedMeans}</p>}
      {hidden.length > 0 && <p className="small faint">{words.hiddenMeans}</p>}
    </>
  );
}

/** Shows how a text was printed, and what the item collides with. A text that collides is not reported as fitting. */
function Verdict({ state, item }: { readonly state: DesignerState; readonly item: Item }) {
  const words = useChapter("designer");
  const { percent } = useFormats();
  const list = useList();
  const { layout, items, nameOf } = state;
  if (!layout) return null;
  if (lacksLogo(item)) return <MissingLogo />;
  const faults = collisionJudgements(collisionsOf(item, items, layout), nameOf, words, list);
  const own = item.text && item.isPrinted ? [judged(item.text, words, percent, list)] : [];
  return [...own.filter(({ look }) => look !== "good" || faults.length === 0), ...faults].map(
    ({ words: verdict, look }) => (
      <p key={verdict} className="small" data-look={look}>
        {verdict}
      </p>
    ),
  );
}

function PageProperties({ state, schema }: { readonly state: DesignerState; readonly schema: JsonObject }) {
  const { optionNames } = useChapter("designing");
  const { colon } = useFormats();
  const { options, isReadOnly, set } = state;
  return (
    <>
      {(["paper", "accent_color", "defaults.color"] as const).map((path) => (
        <ColourField
          key={path}
          label={textFor(optionNames, path) ?? `${optionNames.defaults}${colon}${optionNames[".color"]}`}
          value={valueAt(options, path)}
          seen={DEFAULT_COLORS[path] ?? textAt(schema, `properties.${path}.default`)}
          isNamed={false}
          isReadOnly={isReadOnly}
          onChoose={(color) => set(path, color)}
        />
      ))}
      <FontField
        state={state}
        label={`${optionNames.defaults}${colon}${optionNames[".font"]}`}
        value={valueAt(options, "defaults.font")}
        fonts={examplesAt(schema, "defaults.properties.font")}
        onChoose={(font) => set("defaults.font", font)}
      />
      <LanguageFields state={state} names={readOptionSchema(schema).map(({ name }) => name)} />
      <KnownFields state={state} names={PAGE_OPTIONS} schema={schema} />
      <BadgeShape state={state} schema={schema} />
    </>
  );
}

/** The shape of the badge's picture, unless there is no badge, or it has a picture of its own. */
function BadgeShape({ state, schema }: { readonly state: DesignerState; readonly schema: JsonObject }) {
  const { optionNames } = useChapter("designing");
  const { colon } = useFormats();
  const { options, isReadOnly, set } = state;
  const badge = readOptionSchema(schema).find(({ name }) => name === "open_badge")?.input;
  const shape = badge?.kind === "switch" && badge.options.find(({ name }) => name === "shape");
  if (!shape || options.open_badge === false || valueAt(options, "open_badge.image")) return null;
  return (
    <BadgeAccent value={options.accent_color}>
      <OptionField
        path={BADGE_SHAPE}
        label={`${optionNames.open_badge}${colon}${optionNames[BADGE_SHAPE]}`}
        option={withoutHelp(shape)}
        value={valueAt(options, BADGE_SHAPE)}
        isReadOnly={isReadOnly}
        onChange={(chosen) => set(BADGE_SHAPE, chosen)}
      />
    </BadgeAccent>
  );
}

/** Colours that apply if no option sets them. */
const DEFAULT_COLORS: Readonly<Record<string, string>> = { paper: "#ffffff", "defaults.color": "#000000" };

function textAt(schema: JsonObject, path: string): string | undefined {
  const value = valueAt(schema, path);
  return typeof value === "string" ? value : undefined;
}

/** Fields for the position and size in millimetres, from the top left corner. */
function Measures({ state, item }: { readonly state: DesignerState; readonly item: Item }) {
  const words = useChapter("designer");
  const { isReadOnly, mm } = state;
  const { anchor, box, text } = item;
  const kind = resizing(item, state.options);
  const placed = valueAt(state.options, `${item.path}.width`);
  const isRow = item.kind === "facts" || item.kind === "signatures";
  const width = text?.room || (isRow && typeof placed === "number" ? placed : box.width);
  const resize = (axis: "x" | "y", from: number) => (value: number | undefined) => {
    if (value === undefined) return;
    const more = value * POINTS_IN_MM - from;
    // A centred text grows on both sides.
    const share = axis === "x" && kind === "width" && isCentred(item, state) ? 0.5 : 1;
    state.resize(item, { x: 0, y: 0, [axis]: more * share * (text?.align === "right" ? -1 : 1) });
  };
  const move = (axis: "x" | "y") => (value: number | undefined) => {
    if (value === undefined) return;
    state.move(new Map([[item, { x: 0, y: 0, [axis]: value * POINTS_IN_MM - anchor[axis] }]]));
  };
  const across = text ? textFor(words.anchors, text.align) : undefined;
  return (
    <>
      <div className="field-pair">
        <MeasureField
          label={across ?? words.fromLeft}
          shown={mm(anchor.x)}
          isReadOnly={isReadOnly}
          onMeasure={move("x")}
        />
        <MeasureField
          label={text ? words.baseline : words.fromTop}
          shown={mm(anchor.y)}
          isReadOnly={isReadOnly}
          onMeasure={move("y")}
        />
        {kind && (
          <MeasureField
            label={text ? words.room : words.width}
            shown={mm(width)}
            isReadOnly={isReadOnly}
            onMeasure={resize("x", width)}
          />
        )}
        {kind === "both" && (
          <MeasureField
            label={words.height}
            shown={mm(box.height)}
            isReadOnly={isReadOnly}
            onMeasure={resize("y", box.height)}
          />
        )}
      </div>
      <Arranged state={state} item={item} />
      <Inheritance state={state} item={item} />
    </>
  );
}

function isCentred({ text, path }: Item, { options }: DesignerState): boolean {
  return (text?.align ?? valueAt(options, `${path}.align`) ?? "center") === "center";
}

/** Shows that a block determines the item's position. A button removes the item from the block without moving it. */
function Arranged({ state, item }: { readonly state: DesignerState; readonly item: Item }) {
  const words = useChapter("designer");
  const { layout, options } = state;
  if (!layout) return null;
  if (item.block === undefined) return <Joining state={state} item={item} />;
  return (
    <div className="designer-note small">
      <p>{words.arranged}</p>
      {!state.isReadOnly && (
        <Button
          variant="quiet"
          onPress={() => {
            const { block: _, ...own } = ownOptions(options, item.path);
            const bottom = item.text ? item.anchor.y : item.box.y + item.box.height;
            const y = ((layout.pageHeight - bottom) * layout.drawnHeight) / layout.pageHeight;
            state.change(withValue(options, item.path, { ...own, y: rounded(y) }));
          }}
        >
          {words.letStand}
        </Button>
      )}
    </div>
  );
}

/** Adds an item to a block. When a text of a block gets longer, the members below it move down. */
function Joining({ state, item }: { readonly state: DesignerState; readonly item: Item }) {
  const words = useChapter("designer");
  if (state.isReadOnly || state.blocks.size === 0 || !canJoin(item)) return null;
  return (
    <ChoiceButton label={words.joinBlock} onAdd={(block) => state.join(item, block)}>
      {[...state.blocks].map(([block, members]) => (
        <option key={block} value={block}>
          {state.namesOf(members)}
        </option>
      ))}
    </ChoiceButton>
  );
}

/** In a configuration, shows whether an item is the same as in the type. A button resets it. */
function Inheritance({ state, item: { path } }: { readonly state: DesignerState; readonly item: Item }) {
  const words = useChapter("designer");
  if (!state.isInheriting) return null;
  const itemPath = /^(?:images|shapes)\./.test(path) ? path.slice(0, path.indexOf(".")) : path;
  const isOwn = state.isOwn(itemPath);
  return (
    <div className="designer-note small">
      <p>{isOwn ? words.isOwn : words.isInherited}</p>
      {isOwn && !state.isReadOnly && (
        <Button variant="quiet" onPress={() => state.set(itemPath, valueAt(state.inherited, itemPath))}>
          {words.asInType}
        </Button>
      )}
    </div>
  );
}

const EDGES: readonly Edge[] = ["left", "center", "right", "top", "middle", "bottom"];

/** Icons as SVG path data: bars that are aligned at an edge, or distributed between two lines. */
const edgeDrawings: Readonly<Record<Edge | "x" | "y", string>> = {
  left: "M4 4v16M8 8h12M8 16h7",
  center: "M12 4v16M6 8h12M8.500 16h7",
  right: "M20 4v16M4 8h12M9 16h7",
  top: "M4 4h16M8 8v12M16 8v7",
  middle: "M4 12h16M8 6v12M16 8.500v7",
  bottom: "M4 20h16M8 4v12M16 9v7",
  x: "M4 4v16M20 4v16M12 7v10",
  y: "M4 4h16M4 20h16M7 12h10",
};

function Alignment({ state, chosen }: { readonly state: DesignerState; readonly chosen: readonly Item[] }) {
  const words = useChapter("designer");
  const buttons = [
    ...EDGES.map((edge) => ({ name: edge, press: () => state.align(chosen, edge) })),
    ...(["x", "y"] as const).map((axis) => ({
      name: axis,
      press: () => state.distribute(chosen, axis),
      why: chosen.length < 3 ? words.selectThree : undefined,
    })),
  ];
  return (
    <fieldset className="designer-edges" aria-label={words.align} dir="ltr">
      {buttons.map(({ name, press, ...rest }) => (
        <Button
          key={name}
          variant="quiet"
          aria-label={words.edges[name]}
          title={words.edges[name]}
          onPress={press}
          {...rest}
        >
          <svg
            className="icon"
            viewBox="0 0 24 24"
            fill="none"
            stroke="currentColor"
            strokeWidth="2"
            aria-hidden="true"
          >
            <path d={edgeDrawings[name]} />
          </svg>
        </Button>
      ))}
    </fieldset>
  );
}

function ItemProperties({
  state,
  item,
  schema,
  placeholders,
}: {
  readonly state: DesignerState;
  readonly item: Item;
  readonly schema: JsonObject;
  readonly placeholders: readonly string[];
}) {
  const words = useChapter("designer");
  const { optionNames } = useChapter("designing");
  const { options, isReadOnly, set } = state;
  const { path, kind } = item;
  const own = ownOptions(options, path);
  const fonts = examplesAt(schema, "defaults.properties.font");
  const measured = kind === "text" ? TEXT_OPTIONS : kind === "qr" || kind === "seal" ? ["size"] : [];
  const more = fieldsOf(schema, path).filter(
    ({ name }) => ![...OPTIONS_WITH_OWN_FIELD, ...measured].includes(name),
  );
  const isFile = ({ name }: Option) => name === "asset";
  const field = (option: Option) => (
    <OptionField
      key={option.name}
      path={`${path
        .split(".")
        .slice(0, path.startsWith("places.") ? 2 : 1)
        .join(".")}.${option.name}`}
      option={withoutHelp(option)}
      value={own[option.name]}
      isReadOnly={isReadOnly}
      onChange={(value) => set(`${path}.${option.name}`, value)}
    />
  );
  const isColoured = fieldsOf(schema, path).some(({ name }) => name === "color");
  return (
    <>
      {kind === "text" ? (
        <TextProperties state={state} item={item} fonts={fonts} placeholders={placeholders} />
      ) : (
        <>
          {kind === "facts" && <FactChoice state={state} schema={schema} placeholders={placeholders} />}
          <KnownFields state={state} names={OPTIONS_BY_KIND[kind] ?? []} schema={schema} />
          {(kind === "facts" || kind === "signatures") && (
            <FontField
              state={state}
              label={optionNames[".font"] ?? "font"}
              value={own.font}
              fonts={fonts}
              onChoose={(font) => set(`${path}.font`, font)}
            />
          )}
          {isColoured && (
            <ColourField
              label={optionNames[".color"] ?? "color"}
              value={own.color}
              seen={undefined}
              isReadOnly={isReadOnly}
              onChoose={(color) => set(`${path}.color`, color)}
            />
          )}
        </>
      )}
      {more.filter(isFile).map(field)}
      <details>
        <summary className="small">{words.more}</summary>
        <div className="stack">{more.filter((option) => !isFile(option)).map(field)}</div>
      </details>
    </>
  );
}

function KnownFields({
  state,
  names,
  schema,
}: {
  readonly state: DesignerState;
  readonly names: readonly string[];
  readonly schema: JsonObject;
}) {
  const designing = useChapter("designing");
  const all = readOptionSchema(schema);
  return names.flatMap((name) => {
    const option = all.find((each) => each.name === name);
    if (!option) return [];
    return (
      <OptionField
        key={name}
        path={name}
        label={labelOf(name, designing)}
        option={withoutHelp(option)}
        value={state.options[name]}
        isReadOnly={state.isReadOnly}
        onChange={(value) => state.set(name, value)}
      />
    );
  });
}

/** Returns an option without its help texts, because there is no room for them beside the page. The form shows them. */
function withoutHelp({ name, input }: Option): Option {
  const quiet = (each: OptionInput): OptionInput =>
    each.kind === "group" || each.kind === "switch"
      ? { ...each, options: each.options.map(withoutHelp) }
      : each.kind === "several"
        ? { ...each, each: quiet(each.each) }
        : each;
  return { name, help: "", helpLines: [], input: quiet(input) };
}

function fieldsOf(schema: JsonObject, path: string): readonly Option[] {
  const [first = "", second = ""] = path.split(".");
  const input = readOptionSchema(schema).find(({ name }) => name === first)?.input;
  if (first === "places" && input?.kind === "group")
    return innerOf(input.options.find(({ name }) => name === second)?.input);
  return innerOf(input);
}

function innerOf(input: OptionInput | undefined): readonly Option[] {
  if (input?.kind === "several") return innerOf(input.each);
  return input?.kind === "group" || input?.kind === "switch" ? input.options : [];
}
