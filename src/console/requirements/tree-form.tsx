import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { type ReactNode, useEffect, useRef, useState } from "react";
import {
  GROUPS,
  type GroupKind,
  LEAVES,
  type LeafKind,
  MAX_DEPTH,
  MAX_LEAVES,
} from "#foundation/requirement-parts.js";
import { asciiDigits } from "../components/ascii-digits.js";
import { Button } from "../components/button.js";
import { NumberField, Options, SelectField } from "../components/fields.js";
import { lazily } from "../components/lazily.js";
import { useChapter, useFormats } from "../i18n/words.js";
import { LeafFields } from "./leaf-fields.js";
import {
  countLeaves,
  faultsOf,
  groupOf,
  isAt,
  isGroup,
  moveEntry,
  newPart,
  partKindOf,
  partsOf,
  pathOf,
  rootOf,
  treeOf,
  withParts,
} from "./tree.js";
import type { TreeScope } from "./tree-scope.js";
import "./trees.css";

const PathwayDialog = lazily(() => import("./pathway-dialog.js"), "PathwayDialog");

interface PartProps {
  readonly part: JsonObject;
  /** Path of the part in the tree, for example `all.0.of.1`. */
  readonly path: string;
  /** Position of the part, for example `2.1`; empty for the root. */
  readonly position: string;
  readonly scope: TreeScope;
  readonly onChange: (part: JsonObject) => void;
}

type InForm = PartProps & {
  readonly depth: number;
  readonly isFull: boolean;
  /** Focuses the first element that matches, as soon as the form shows the change. */
  readonly focusNext: (selector: string) => void;
};

export function TreeForm({
  tree,
  onChange,
  ...scope
}: TreeScope & {
  readonly tree: JsonValue | undefined;
  /** Called with undefined if nothing is required. */
  readonly onChange: (tree: JsonObject | undefined) => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const next = useRef<string>(undefined);
  useEffect(() => {
    if (next.current === undefined) return;
    const found = place.current?.querySelector<HTMLElement>(next.current);
    if (!found) return; // the texts of the new part are still loading
    next.current = undefined;
    found.focus();
  });
  // Holds the rule that the user selects before there are any parts, because a tree without parts is not stored.
  const [empty, setEmpty] = useState<JsonObject>({ all: [] });
  const root = treeOf(rootOf(tree)) ?? empty;
  const room = MAX_LEAVES - countLeaves(root);
  const [isImporting, setImporting] = useState(false);
  const words = useChapter("trees");
  return (
    <div className="tree" ref={place}>
      <Group
        part={root}
        path=""
        position=""
        depth={1}
        isFull={room <= 0}
        scope={scope}
        focusNext={(selector) => {
          next.current = selector;
        }}
        onChange={(changed) => {
          if (partsOf(changed).length === 0) setEmpty(changed);
          onChange(treeOf(changed));
        }}
      />
      <div className="actions">
        <Button onPress={() => setImporting(true)}>{words.importPathway}</Button>
      </div>
      {isImporting && (
        <PathwayDialog
          maxLeaves={room}
          onAdd={(added) =>
            onChange(partsOf(root).length === 0 ? rootOf(added) : withParts(root, [...partsOf(root), added]))
          }
          onClose={() => setImporting(false)}
        />
      )}
    </div>
  );
}

function Group(props: InForm & { readonly children?: ReactNode }) {
  const { part, path, position, depth, isFull, scope, focusNext, onChange, children } = props;
  const words = useChapter("trees");
  const { colon } = useFormats();
  const kind = partKindOf(part) as GroupKind;
  const parts = partsOf(part);
  const write = (changed: readonly JsonObject[]) => onChange(withParts(part, changed));
  return (
    <fieldset className="stack tree-group" data-part={path}>
      <legend className={position === "" ? "away-from-view" : ""}>
        {position === "" ? words.title : `${position} ${words.kinds.group}`}
      </legend>
      <div className="tree-rule">
        <SelectField
          label={words.rule}
          value={kind}
          onChoose={(chosen) => onChange(groupOf(chosen as GroupKind, parts))}
        >
          <Options of={GROUPS} nameOf={(each) => words.rules[each]} />
        </SelectField>
        {kind === "at_least" && (
          <NumberField
            label={words.count}
            value={String(part.at_least ?? "")}
            onType={(typed) => {
              const digits = asciiDigits(typed).trim();
              onChange({ ...part, at_least: /^\d{1,3}$/.test(digits) ? Number(digits) : typed });
            }}
          />
        )}
      </div>
      <Faults {...props} />
      {parts.length > 0 && (
        <ol className="tree-parts">
          {parts.map((each, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts are identified only by their place
            <li key={at}>
              <Part
                part={each}
                path={pathOf(path, kind, at)}
                position={position === "" ? String(at + 1) : `${position}.${at + 1}`}
                depth={depth + 1}
                isFull={isFull}
                scope={scope}
                focusNext={focusNext}
                onChange={(changed) => write(parts.with(at, changed))}
                move={(by) => {
                  const to = at + by;
                  const isLast = by === 1 ? to === parts.length - 1 : to === 0;
                  const still = isLast ? -by : by;
                  focusNext(`[data-move="${pathOf(path, kind, to)} ${still}"]`);
                  write(moveEntry(parts, at, by));
                }}
                isFirst={at === 0}
                isLast={at === parts.length - 1}
                remove={() => {
                  focusNext(`[data-add="${path}"]`);
                  write(parts.filter((_, index) => index !== at));
                }}
              />
            </li>
          ))}
        </ol>
      )}
      <AddPart
        path={path}
        label={position === "" ? words.addPart : `${words.addPart}${colon}${position}`}
        canNest={depth < MAX_DEPTH}
        isFull={isFull}
        onAdd={(added) => {
          const place = `[data-part="${pathOf(path, kind, parts.length)}"]`;
          focusNext(`${place} :is(input, select), ${place} [data-move]`);
          write([...parts, newPart(added)]);
        }}
      />
      {children}
    </fieldset>
  );
}

function Part({
  isFirst,
  isLast,
  move,
  remove,
  ...props
}: InForm & {
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly move: (by: 1 | -1) => void;
  readonly remove: () => void;
}) {
  const { part, path, position } = props;
  const words = useChapter("trees");
  const { colon } = useFormats();
  const kind = partKindOf(part) as LeafKind | GroupKind;
  const name = `${position} ${words.kinds[isGroup(kind) ? "group" : kind]}`;
  const moveButton = (by: 1 | -1, label: string, isOff: boolean) => (
    <Button
      variant="quiet"
      aria-label={`${label}${colon}${name}`}
      data-move={`${path} ${by}`}
      isDisabled={isOff}
      onPress={() => move(by)}
    >
      {label}
    </Button>
  );
  const actions = (
    <div className="actions tree-actions">
      {moveButton(-1, words.up, isFirst)}
      {moveButton(1, words.down, isLast)}
      <Button variant="quiet" aria-label={`${words.remove}${colon}${name}`} onPress={remove}>
        {words.remove}
      </Button>
    </div>
  );
  if (isGroup(kind)) return <Group {...props}>{actions}</Group>;
  return (
    <fieldset className="stack tree-leaf" data-part={path}>
      <legend>{name}</legend>
      <LeafFields kind={kind} {...props} />
      <Faults {...props} />
      {actions}
    </fieldset>
  );
}

/** Shows the errors of a part. If the form finds none, shows the service's errors. */
function Faults({ part, path, scope: { problem } }: PartProps) {
  const { faults } = useChapter("trees");
  const own = faultsOf(part);
  return (
    <div role="status">
      {own.map((fault) => (
        <p key={fault} className="fault">
          {faults[fault]}
        </p>
      ))}
      {own.length === 0 && problem && isAt(problem, path, part) && (
        <p className="fault" lang="en" dir="ltr">
          {problem.text}
        </p>
      )}
    </div>
  );
}

function AddPart({
  path,
  label,
  canNest,
  isFull,
  onAdd,
}: {
  readonly path: string;
  readonly label: string;
  readonly canNest: boolean;
  readonly isFull: boolean;
  readonly onAdd: (kind: LeafKind | "group") => void;
}) {
  const words = useChapter("trees");
  const { colon } = useFormats();
  const [kind, setKind] = useState<LeafKind | "group">("grade");
  return (
    <div className="add-option">
      <SelectField
        label={label}
        data-add={path}
        value={kind}
        onChoose={(chosen) => setKind(chosen as LeafKind | "group")}
        help={isFull ? words.full : undefined}
      >
        <Options
          of={[...LEAVES, ...(canNest ? (["group"] as const) : [])]}
          nameOf={(each) => words.kinds[each]}
        />
      </SelectField>
      <Button aria-label={`${words.add}${colon}${label}`} isDisabled={isFull} onPress={() => onAdd(kind)}>
        {words.add}
      </Button>
    </div>
  );
}
