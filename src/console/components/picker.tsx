import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { MAX_QUERY } from "#foundation/limits.js";
import { useWords } from "../i18n/words.js";
import { hasWords } from "./has-words.js";
import { MATCHES_NOTHING, useMissing } from "./missing-field.js";
import { useEnter } from "./use-enter.js";

/** An option. If others may have the same name, details distinguish it. */
export interface Choice {
  readonly key: string;
  readonly title: string;
  readonly detail?: string;
  readonly picture?: ReactNode;
}

/** Maximum number of choices to show. Users find the others by typing. */
const MAX_CHOICES = 50;

interface PickerProps {
  readonly label: string;
  readonly placeholder?: string;
  /** undefined while loading. */
  readonly choices: readonly Choice[] | undefined;
  readonly chosen: Choice | undefined;
  /** The text whose search results are `choices`. Absent if the picker itself filters the choices. */
  readonly answered?: string;
  readonly help?: string;
  readonly autoFocus?: boolean;
  readonly required?: boolean;
  /** Further actions, below the choices. */
  readonly children?: ReactNode;
  readonly onType?: (text: string) => void;
  readonly onChoose: (choice: Choice) => void;
}

/** Selects one of many choices by a part of its name. The arrow keys and Enter select, and Escape closes the list. */
export function Picker({
  label,
  placeholder,
  choices,
  chosen,
  answered,
  help,
  autoFocus,
  required = false,
  children,
  onType,
  onChoose,
}: PickerProps) {
  const id = useId();
  const typing = useTypedChoice({ choices, answered, onType, onChoose });
  const { typed, isOpen, active, type, onKeyDown } = typing;
  const isMissing = required && !chosen;
  const { fault, onInvalid } = useMissing(isMissing, "emptyChoice");
  const container = useRef<HTMLDivElement>(null);
  const activeId = active && `${id}-${active.key}`;
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [activeId]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only observes when the focus leaves its field
    <div
      className="field picker"
      ref={container}
      onBlur={({ relatedTarget }) => {
        if (!container.current?.contains(relatedTarget)) type(undefined);
      }}
    >
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="text"
        role="combobox"
        // biome-ignore lint/a11y/noAutofocus: only in dialogs, which take the focus anyway
        autoFocus={autoFocus}
        aria-expanded={isOpen}
        aria-controls={`${id}-choices`}
        aria-activedescendant={activeId}
        aria-autocomplete="list"
        aria-describedby={
          [help && `${id}-help`, fault && `${id}-fault`].filter(Boolean).join(" ") || undefined
        }
        aria-invalid={fault ? true : undefined}
        required={required}
        pattern={isMissing ? MATCHES_NOTHING : undefined}
        onInvalid={onInvalid}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        maxLength={MAX_QUERY}
        placeholder={placeholder}
        value={typed ?? chosen?.title ?? ""}
        onClick={() => isOpen || type("")}
        onKeyDown={onKeyDown}
        onChange={({ currentTarget }) => type(currentTarget.value)}
      />
      {chosen?.detail && !isOpen && (
        <p className="small faint">
          <bdi>{chosen.detail}</bdi>
        </p>
      )}
      {help && (
        <p id={`${id}-help`} className="small faint">
          {help}
        </p>
      )}
      {fault && <div id={`${id}-fault`}>{fault}</div>}
      <PickerList id={id} label={label} typing={typing}>
        {children}
      </PickerList>
    </div>
  );
}

function useTypedChoice({
  choices,
  answered,
  onType,
  onChoose,
}: Pick<PickerProps, "choices" | "answered" | "onType" | "onChoose">) {
  // undefined while nobody is typing. The field then shows the selected choice.
  const [typed, setTyped] = useState<string>();
  const [activeIndex, setActiveIndex] = useState(0);
  const isOpen = typed !== undefined;
  const isCurrent = choices !== undefined && (answered === undefined || answered === typed?.trim());
  const found = answered === undefined && typed ? choices?.filter((each) => isLike(each, typed)) : choices;
  const shown = isOpen ? (found?.slice(0, MAX_CHOICES) ?? []) : [];
  const active = shown[Math.min(activeIndex, shown.length - 1)];

  const onEnter = useEnter({ text: typed, isCurrent, active }, choose);

  function type(text: string | undefined) {
    setTyped(text);
    setActiveIndex(0);
    onType?.(text ?? "");
  }
  function choose(choice: Choice) {
    type(undefined);
    onChoose(choice);
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      if (!isOpen) return type("");
      setActiveIndex((Math.min(activeIndex, shown.length - 1) + step + shown.length) % (shown.length || 1));
    } else if (event.key === "Enter" && isOpen) {
      event.preventDefault();
      onEnter();
    } else if (event.key === "Escape" && isOpen) {
      event.stopPropagation();
      type(undefined);
    }
  }
  return { typed, isOpen, found, shown, active, type, choose, onKeyDown };
}

function isLike({ title, detail = "" }: Choice, typed: string): boolean {
  return hasWords(`${title} ${detail}`, typed);
}

function PickerList({
  id,
  label,
  typing: { isOpen, found, shown, active, choose },
  children,
}: Pick<PickerProps, "label" | "children"> & {
  readonly id: string;
  readonly typing: ReturnType<typeof useTypedChoice>;
}) {
  const { credentials } = useWords();
  return (
    <div className="picker-list" hidden={!isOpen}>
      <ChoiceList id={id} label={label} choices={shown} active={active} onChoose={choose} />
      {found && found.length > MAX_CHOICES && <p className="small faint">…</p>}
      {found?.length === 0 && <p className="small faint">{credentials.noneFound}</p>}
      {children}
    </div>
  );
}

function ChoiceList({
  id,
  label,
  choices,
  active,
  onChoose,
}: Pick<PickerProps, "label" | "onChoose"> & {
  readonly id: string;
  readonly choices: readonly Choice[];
  readonly active: Choice | undefined;
}) {
  return (
    <div id={`${id}-choices`} role="listbox" aria-label={label}>
      {choices.map((choice) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles keys and keeps the focus
        // biome-ignore lint/a11y/useFocusableInteractive: the field points to it as its active descendant
        <div
          key={choice.key}
          id={`${id}-${choice.key}`}
          role="option"
          aria-selected={choice === active}
          className="hit"
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(choice)}
        >
          {choice.picture}
          <span className="hit-title">
            <bdi>{choice.title}</bdi>
            {choice.detail && (
              <span className="second">
                <bdi>{choice.detail}</bdi>
              </span>
            )}
          </span>
        </div>
      ))}
    </div>
  );
}
