import type { JsonObject } from "@bufbuild/protobuf";
import { useId, useMemo, useState } from "react";
import { keyParts } from "#foundation/text/key-parts.js";
import { Button } from "../components/button.js";
import { Dialog } from "../components/dialog.js";
import { useChapter, useWords } from "../i18n/words.js";
import { Outline } from "./outline.js";
import { MAX_PATHWAY_SIZE, readPathway } from "./read-pathway.js";
import { isNested } from "./tree.js";
import { useTreeSentence } from "./use-sentences.js";

/**
 * Imports a learner pathway of Open edX, which users paste or select as a file. Shows the resulting requirements before
 * they are added.
 */
export function PathwayDialog({
  maxLeaves,
  onAdd,
  onClose,
}: {
  /** Maximum number of requirements that can be added. */
  readonly maxLeaves: number;
  readonly onAdd: (tree: JsonObject) => void;
  readonly onClose: () => void;
}) {
  const { importPathway } = useChapter("trees");
  const words = useChapter("pathways");
  const { parts } = useWords();
  const id = useId();
  const [isTried, setTried] = useState(false);
  const { text, read, faults, isTouched, type, take } = usePathway(maxLeaves);
  const isShown = isTried || isTouched;
  return (
    <Dialog title={importPathway} isWide onClose={onClose}>
      <p className="small faint">{words.means}</p>
      <div className="field">
        <label htmlFor={`${id}-file`}>{words.file}</label>
        <input
          id={`${id}-file`}
          type="file"
          accept=".json,application/json"
          onChange={({ currentTarget: { files } }) => void take(files?.[0])}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-text`}>{words.text}</label>
        <textarea
          id={`${id}-text`}
          className="code-field"
          dir="ltr"
          rows={6}
          spellCheck={false}
          autoComplete="off"
          aria-invalid={isShown && faults.length > 0}
          aria-describedby={`${id}-faults`}
          value={text}
          onChange={({ currentTarget: { value } }) => type(value)}
        />
      </div>
      <div id={`${id}-faults`} role="status">
        {isShown &&
          faults.map((fault) => (
            <p key={fault} className="fault">
              {fault}
            </p>
          ))}
      </div>
      {"tree" in read && <Preview title={read.title} tree={read.tree} />}
      <div className="dialog-actions">
        <Button onPress={onClose}>{parts.cancel}</Button>
        <Button
          variant="primary"
          onPress={() => {
            setTried(true);
            if (!("tree" in read)) return;
            onAdd(read.tree);
            onClose();
          }}
        >
          {words.add}
        </Button>
      </div>
    </Dialog>
  );
}

/** The text that was typed or read from a file, the pathway in it, and its errors. */
function usePathway(maxLeaves: number) {
  const words = useChapter("pathways");
  const [text, setText] = useState("");
  const [isTooLarge, setTooLarge] = useState(false);
  const read = useMemo(() => readPathway(text, words.faults, maxLeaves), [text, words, maxLeaves]);
  const faults = isTooLarge ? [words.faults.tooLarge] : "faults" in read ? read.faults : [];
  async function take(file: File | undefined) {
    if (!file) return;
    const isOver = file.size > MAX_PATHWAY_SIZE;
    setText(isOver ? "" : await file.text());
    setTooLarge(isOver);
  }
  function type(typed: string) {
    setText(typed);
    setTooLarge(false);
  }
  return { text, read, faults, isTouched: isTooLarge || text !== "", type, take };
}

function Preview({ title, tree }: { readonly title: string; readonly tree: JsonObject }) {
  const { preview } = useChapter("pathways");
  const sentence = useTreeSentence(tree);
  return (
    <section className="try-requirements" aria-label={preview}>
      <strong>{title ? <bdi>{title}</bdi> : preview}</strong>
      <div>
        {isNested(tree) ? (
          <Outline tree={tree} />
        ) : (
          <span className="who-gets-it">{sentence(tree, keyParts)}</span>
        )}
      </div>
    </section>
  );
}
