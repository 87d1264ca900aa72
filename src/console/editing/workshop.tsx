import type { JsonObject } from "@bufbuild/protobuf";
import { Link } from "@tanstack/react-router";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { Button } from "../components/button.js";
import { Failure } from "../components/failure.js";
import { lazily } from "../components/lazily.js";
import { letterOf } from "../components/letter-of.js";
import { useChapter, useWords } from "../i18n/words.js";
import { optionsText } from "../options/read-options.js";
import { NameField } from "./name-field.js";
import { useSamplePdf } from "./use-sample-pdf.js";
import type { ViewDialogName } from "./view-dialog.js";
import type { ViewProps } from "./view-props.js";
import "./workshop.css";

const Designer = lazily(() => import("../designer/designer.js"), "Designer");

interface WorkshopProps extends ViewProps {
  readonly own: JsonObject;
  readonly onForm: () => void;
  readonly onOpen: (name: ViewDialogName) => void;
  /** Notices that require a decision before saving. */
  readonly children: ReactNode;
}

/** The designer, which fills the window. The menu "More" contains the form and less frequent actions. */
export function Workshop(props: WorkshopProps) {
  const { subject, editing, functions, why, own, children } = props;
  const { fields, failed } = editing;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its buttons do the same as these keys
    <div className="workshop" onKeyDown={(event) => handleShortcut(event, props)}>
      <Bar {...props} />
      <div className="workshop-notices">
        {children}
        {failed && failed.at !== "name" && <Failure error={failed.error} />}
      </div>
      <Designer
        own={own}
        inherited={editing.inherited}
        functions={functions.of(editing.functionNames)}
        isReadOnly={why !== undefined}
        learningContextKey={subject.learningContextKey}
        factsOf={subject.tryIn?.key}
        previewOf={(changed) => subject.previewOf({ ...fields, options: optionsText(changed) }, false)}
        onChange={(changed, what) => editing.change({ ...fields, options: optionsText(changed) }, what)}
      />
    </div>
  );
}

/** Handles the shortcuts for undo, redo and save. In a text field, the browser's own undo applies. */
function handleShortcut(event: KeyboardEvent<HTMLElement>, { editing }: WorkshopProps) {
  // Alt with Ctrl types other characters on many layouts, for example the Polish "ś".
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
  const isTyping = (event.target as HTMLElement).matches("input:not([type=checkbox]), textarea");
  const letter = letterOf(event);
  const undoing = letter === "Z" && !event.shiftKey ? editing.undo : editing.redo;
  const act =
    letter === "S" ? editing.save : !isTyping && (letter === "Z" || letter === "Y") ? undoing : undefined;
  if (!act) return;
  event.preventDefault();
  act();
}

function Bar(props: WorkshopProps) {
  const { subject, editing, why, onForm } = props;
  const { parts } = useWords();
  const words = useChapter("designer");
  const { isSaving } = editing;
  return (
    <div className="workshop-bar">
      <Button variant="quiet" aria-label={words.leave} title={words.leave} onPress={onForm}>
        <span className="workshop-back" aria-hidden="true" />
      </Button>
      {subject.type ? (
        <strong className="workshop-name">
          <bdi>{subject.type.name}</bdi>
        </strong>
      ) : (
        <RequestedName {...props} />
      )}
      <Status {...props} />
      <div className="workshop-acts">
        <StepButton label={words.undo} act={editing.undo} />
        <StepButton label={words.redo} act={editing.redo} isForward />
        <More {...props} />
        <Button variant="primary" why={why} isDisabled={!editing.canSave} onPress={editing.save}>
          {isSaving ? parts.working : subject.saveLabel}
        </Button>
      </div>
    </div>
  );
}

function StepButton(props: {
  readonly label: string;
  readonly act: (() => void) | undefined;
  readonly isForward?: boolean;
}) {
  const { label, act, isForward = false } = props;
  return (
    <Button aria-label={label} title={label} isDisabled={!act} onPress={act}>
      <svg
        className="icon"
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        aria-hidden="true"
        transform={isForward ? "scale(-1 1)" : undefined}
      >
        <path d="M8 4L3 9l5 5M3 9h11a6 6 0 0 1 0 12h-4" />
      </svg>
    </Button>
  );
}

/**
 * The field for the name of a type. It gets the focus if a new type has no name, and if saving fails because of the
 * name.
 */
function RequestedName({ subject, editing, why }: WorkshopProps) {
  const { fields, failed } = editing;
  const place = useRef<HTMLDivElement>(null);
  const needsName = failed ? failed.at === "name" : subject.saved.etag === "" && !fields.name;
  useEffect(() => {
    if (needsName) place.current?.querySelector("input")?.focus({ preventScroll: true });
  }, [needsName]);
  return (
    <div ref={place} className="workshop-name">
      <NameField editing={editing} why={why} />
    </div>
  );
}

function Status({ subject, editing: { draft, isSaved } }: WorkshopProps) {
  const words = useChapter("designer");
  const { saved, unsaved, reissueBefore, offer } = useChapter("designing");
  const isNew = subject.saved.etag === "";
  return (
    <p role="status" className="workshop-status small" data-look={draft || isNew ? "warn" : "good"}>
      <span title={draft ? unsaved : undefined}>{draft || isNew ? words.unsaved : saved}</span>{" "}
      {!draft && isSaved && subject.issued && (
        <Link to="/credentials" search={{ ...subject.issued, status: "valid" }}>
          {reissueBefore}
        </Link>
      )}
      {!draft && subject.onOffer && (
        <Button variant="quiet" onPress={subject.onOffer}>
          {offer}
        </Button>
      )}
    </p>
  );
}

function More({ subject, editing, onForm, onOpen }: WorkshopProps) {
  const { parts } = useWords();
  const words = useChapter("designer");
  const designing = useChapter("designing");
  const place = useRef<HTMLDetailsElement>(null);
  const sample = useSamplePdf(subject, editing.fields);
  const close = () => place.current?.removeAttribute("open");
  const acts = [
    { label: designing.share, act: () => onOpen("share") },
    { label: designing.views.form, act: onForm },
    ...(subject.revised ? [{ label: designing.history, act: () => onOpen("history") }] : []),
    ...(editing.draft ? [{ label: designing.discard, act: editing.discard }] : []),
  ];
  return (
    <>
      <Button isDisabled={sample.isPending} onPress={() => sample.mutate()}>
        {sample.isPending ? parts.working : words.samplePdf}
      </Button>
      <details
        ref={place}
        className="workshop-more"
        onKeyDown={({ key }) => {
          if (key !== "Escape") return;
          close();
          place.current?.querySelector("summary")?.focus();
        }}
        onBlur={({ currentTarget, relatedTarget }) => currentTarget.contains(relatedTarget) || close()}
      >
        <summary className="button button-plain">{words.more}</summary>
        <div className="workshop-menu card">
          {acts.map(({ label, act }) => (
            <Button
              key={label}
              variant="quiet"
              onPress={() => {
                close();
                act();
              }}
            >
              {label}
            </Button>
          ))}
        </div>
      </details>
      {sample.error && <Failure error={sample.error} />}
    </>
  );
}
