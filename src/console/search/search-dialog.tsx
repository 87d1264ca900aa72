import { useTransport } from "@connectrpc/connect-query";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { Dialog, Modal, ModalOverlay } from "react-aria-components";
import { Failure } from "../components/failure.js";
import { SearchIcon } from "../components/icons.js";
import { ReactAriaLocale } from "../components/react-aria-locale.js";
import { Status } from "../components/status.js";
import { useDestinations } from "../components/use-destinations.js";
import { useEnter } from "../components/use-enter.js";
import { usePaused } from "../components/use-paused.js";
import { useWords } from "../i18n/words.js";
import { findHits, type SearchHit } from "./search-hits.js";
import "./search-dialog.css";

/** Searches for anything. Enter opens the first result, and the arrow keys select another one. */
export function SearchDialog({
  typedBefore,
  onClose,
}: {
  /** Returns the text that was typed before the field got the focus. */
  readonly typedBefore: () => string;
  readonly onClose: () => void;
}) {
  const { shell } = useWords();
  return (
    <ReactAriaLocale>
      <ModalOverlay
        className="overlay overlay-top"
        isOpen
        isDismissable
        onOpenChange={(isOpen) => isOpen || onClose()}
      >
        <Modal className="search-modal">
          <Dialog className="search-dialog" aria-label={shell.search}>
            <SearchField typedBefore={typedBefore} onClose={onClose} />
          </Dialog>
        </Modal>
      </ModalOverlay>
    </ReactAriaLocale>
  );
}

function SearchField({
  typedBefore,
  onClose,
}: {
  readonly typedBefore: () => string;
  readonly onClose: () => void;
}) {
  const { search: words, credentials } = useWords();
  const id = useId();
  const open = useOpenHit(onClose);
  const [text, setText] = useState("");
  const [activeIndex, setActiveIndex] = useState(0);
  const query = usePaused(text.trim());
  const field = useRef<HTMLInputElement>(null);
  // The text that was typed before the field got the focus comes first.
  useEffect(() => {
    field.current?.focus();
    setText((since) => typedBefore() + since);
  }, [typedBefore]);
  const { hits, error, isFetching } = useHits(query);
  const isSettled = query === text.trim() && !isFetching;
  const active = hits[Math.min(activeIndex, hits.length - 1)];

  const onEnter = useEnter({ text, isCurrent: isSettled, active }, open);

  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && hits.length > 0) {
      event.preventDefault();
      setActiveIndex((Math.min(activeIndex, hits.length - 1) + step + hits.length) % hits.length);
    }
    if (event.key !== "Enter" || text.trim() === "") return;
    event.preventDefault();
    onEnter();
  }

  return (
    <>
      <div className="search-line">
        <SearchIcon />
        <input
          ref={field}
          type="text"
          role="combobox"
          aria-expanded={hits.length > 0}
          aria-controls={`${id}-hits`}
          aria-activedescendant={active && `${id}-${active.id}`}
          aria-autocomplete="list"
          aria-label={credentials.searchLabel}
          placeholder={credentials.searchLabel}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setActiveIndex(0);
          }}
        />
        <kbd>Esc</kbd>
      </div>
      {error && <Failure error={error} />}
      <HitList id={id} hits={hits} active={active} onOpen={open} />
      <p role="status" className="search-status">
        {query === "" ? words.help : hits.length === 0 && isSettled && !error ? credentials.noneFound : ""}
      </p>
    </>
  );
}

function useHits(query: string) {
  const transport = useTransport();
  const destinations = useDestinations();
  const { data, error, isFetching } = useQuery({
    queryKey: ["search", query],
    enabled: query !== "",
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => findHits(transport, query, destinations, signal),
  });
  return { hits: query === "" ? [] : (data ?? []), error, isFetching };
}

function HitList({
  id,
  hits,
  active,
  onOpen,
}: {
  readonly id: string;
  readonly hits: readonly SearchHit[];
  readonly active: SearchHit | undefined;
  readonly onOpen: (hit: SearchHit) => void;
}) {
  const { search: words } = useWords();
  return (
    <div id={`${id}-hits`} role="listbox" aria-label={words.hits} className="hits">
      {hits.map((hit, index) => (
        <Hit
          key={hit.id}
          id={`${id}-${hit.id}`}
          hit={hit}
          isFirstOfKind={hits[index - 1]?.kind !== hit.kind}
          isActive={hit === active}
          onOpen={() => onOpen(hit)}
        />
      ))}
    </div>
  );
}

function Hit({
  id,
  hit,
  isFirstOfKind,
  isActive,
  onOpen,
}: {
  readonly id: string;
  readonly hit: SearchHit;
  readonly isFirstOfKind: boolean;
  readonly isActive: boolean;
  readonly onOpen: () => void;
}) {
  const { shell } = useWords();
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) container.current?.scrollIntoView({ block: "nearest" });
  }, [isActive]);
  return (
    <>
      {isFirstOfKind && (
        <p className="hits-kind" role="presentation">
          {hit.kind === "page" ? shell.navigation : shell[`${hit.kind}s`]}
        </p>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field handles keys and keeps the focus */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the field points to it as its active descendant */}
      <div
        id={id}
        ref={container}
        role="option"
        aria-selected={isActive}
        className="hit"
        onPointerDown={(event) => event.preventDefault()}
        onClick={onOpen}
      >
        <span className="hit-title">
          <bdi>{hit.title}</bdi>
          <span className="second">
            <bdi>{hit.detail}</bdi>
          </span>
        </span>
        {hit.kind === "credential" && <Status of={hit.status} />}
      </div>
    </>
  );
}

function useOpenHit(onClose: () => void): (hit: SearchHit) => void {
  const navigate = useNavigate();
  return (hit) => {
    onClose();
    if (hit.kind === "credential") void navigate({ to: "/credentials/$uuid", params: { uuid: hit.uuid } });
    else if (hit.kind === "learner")
      void navigate({ to: "/learners/$username", params: { username: hit.username } });
    else if (hit.kind === "type") void navigate({ to: "/types/$id", params: { id: String(hit.typeId) } });
    else if (hit.kind === "page") void navigate({ to: hit.to });
    else void navigate({ to: "/credentials", search: { context: hit.key } });
  };
}
