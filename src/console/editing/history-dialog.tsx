import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { MAX_REVISIONS } from "#foundation/limits.js";
import { mergeOptions } from "#foundation/text/merge-options.js";
import type { CredentialType } from "#gen/learning_credentials/v1/configuration_pb.js";
import {
  ConfigurationService,
  type ListRevisionsRequest,
  type Revision,
} from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { Button } from "../components/button.js";
import { DesignPreview, type PreviewRequest } from "../components/design-preview.js";
import { Dialog } from "../components/dialog.js";
import { Failure } from "../components/failure.js";
import { filledIn } from "../components/isolated.js";
import { useChapter, useFormats, useList, useWords } from "../i18n/words.js";
import { labelOf } from "../options/option-input.js";
import { optionsIn } from "../options/read-options.js";
import { useSentences } from "../requirements/use-sentences.js";
import { MODES } from "./claim-modes.js";
import { changedParts, isSameState } from "./compare-versions.js";
import { fieldsOf } from "./type-fields.js";
import type { EditedFields } from "./version.js";
import "../style/tile.css";
import "./history.css";

export type RevisionSource = Exclude<ListRevisionsRequest["source"], { case: undefined }>;

interface HistoryProps {
  readonly revised: RevisionSource;
  readonly saved: EditedFields;
  /** The type of the configuration, whose options are merged over those of the type; undefined if a type is shown. */
  readonly type: Pick<CredentialType, "retrievalFunc" | "customOptions"> | undefined;
  /** Returns the label of a field; undefined for an option. */
  readonly partName: (path: string) => string | undefined;
  readonly previewOf: (fields: EditedFields) => PreviewRequest;
  /** undefined if nothing can be changed. */
  readonly onRestore: ((fields: EditedFields) => void) | undefined;
  readonly onClose: () => void;
}

export function HistoryDialog({
  revised,
  saved,
  type,
  partName,
  previewOf,
  onRestore,
  onClose,
}: HistoryProps) {
  const { parts } = useWords();
  const words = useChapter("history");
  const designing = useChapter("designing");
  const { moment } = useFormats();
  const [chosen, setChosen] = useState<number>();
  const { data, error, refetch } = useQuery(ConfigurationService.method.listRevisions, {
    source: revised,
    pageSize: MAX_REVISIONS,
  });
  const revisions = data?.revisions ?? [];
  const shown = revisions.find((each) => each.number === chosen) ?? revisions[0];
  const changesOf = useChanges(revisions, { revised, type, partName });
  const titleOf = (revision: Revision) => words.version({ n: revision.number });
  const state = shown && stateOf(shown, revised);
  return (
    <Dialog title={designing.history} isWide onClose={onClose}>
      <p className="faint">{words.means}</p>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data && revisions.length === 0 && <p>{words.none}</p>}
      <div className="history">
        <ol className="history-list" reversed>
          {revisions.map((revision, at) => (
            <li key={revision.number}>
              <button
                type="button"
                className="tile"
                aria-pressed={revision === shown}
                onClick={() => setChosen(revision.number)}
              >
                <strong>{titleOf(revision)}</strong>
                <span className="small faint">
                  {filledIn(words.savedBy, {
                    who: revision.savedBy,
                    time: revision.saveTime ? moment(revision.saveTime) : "",
                  })}
                </span>
                {changesOf(at).map((line) => (
                  <span key={line} className="small">
                    {line}
                  </span>
                ))}
              </button>
            </li>
          ))}
        </ol>
        {shown && state && (
          <Version
            key={shown.number}
            title={titleOf(shown)}
            preview={previewOf(state)}
            isCurrent={isSameState(state, saved)}
            onRestore={onRestore && (() => onRestore(state))}
            copied={
              revised.case === "credentialTypeId"
                ? { from: revised.value, revision: shown.number }
                : undefined
            }
          />
        )}
      </div>
      <div className="actions dialog-end">
        <Button onPress={onClose}>{parts.close}</Button>
      </div>
    </Dialog>
  );
}

/** Returns a function that describes how a version differs from the one before. Versions are listed newest first. */
function useChanges(
  revisions: readonly Revision[],
  { revised, type, partName }: Pick<HistoryProps, "revised" | "type" | "partName">,
) {
  const words = useChapter("history");
  const { colon } = useFormats();
  const designing = useChapter("designing");
  const { claims } = designing;
  const requirements = useChapter("requirements");
  const list = useList();
  const states = revisions.map((revision) => stateOf(revision, revised));
  const sentences = useSentences(states);
  const nameOf = (path: string) => partName(path) ?? labelOf(path.replace(/^options\./, ""), designing);
  function claimAt(at: number) {
    return MODES.find(([number]) => number === revisions[at]?.claim)?.[1];
  }
  function whoGetsIt({ retrievalFunc = type?.retrievalFunc ?? "", options }: EditedFields): string {
    return sentences(retrievalFunc, mergeOptions(type?.customOptions ?? {}, optionsIn(options))).join(" ");
  }
  return (at: number): string[] => {
    const [state, before] = [states[at], states[at + 1]];
    if (!state || !before) return [words.first];
    const parts = changedParts(before, state).map(({ how, paths }) =>
      words[how]({ list: list(paths.map(nameOf)) }),
    );
    const who = whoGetsIt(state);
    const mode = claimAt(at);
    return [
      ...parts,
      ...(who === whoGetsIt(before) ? [] : [`${requirements.title}${colon}${who}`]),
      ...(mode && mode !== claimAt(at + 1) ? [`${claims.title}${colon}${claims[mode]}`] : []),
    ];
  };
}

function Version({
  title,
  preview,
  isCurrent,
  copied,
  onRestore,
}: {
  readonly title: string;
  readonly preview: PreviewRequest;
  readonly isCurrent: boolean;
  /** The type and revision to copy as a new type; undefined if a configuration is shown. */
  readonly copied: { readonly from: number; readonly revision: number } | undefined;
  /** undefined if nothing can be changed. */
  readonly onRestore: (() => void) | undefined;
}) {
  const words = useChapter("history");
  const designing = useChapter("designing");
  return (
    <section className="stack" aria-label={title}>
      <DesignPreview label={designing.preview} request={preview} />
      {isCurrent && <p className="small faint">{words.current}</p>}
      <div className="actions">
        {!isCurrent && onRestore && (
          <Button variant="primary" onPress={onRestore}>
            {words.restore}
          </Button>
        )}
        {copied && onRestore && (
          <Link
            to="/types/new"
            search={{ from: String(copied.from), revision: String(copied.revision) }}
            className="button"
          >
            {words.duplicate}
          </Link>
        )}
      </div>
      {!isCurrent && onRestore && <p className="small faint">{words.restoreMeans}</p>}
    </section>
  );
}

function stateOf({ credentialType }: Revision, { case: kind }: Pick<RevisionSource, "case">): EditedFields {
  const fields = fieldsOf(credentialType ?? {});
  return kind === "configurationId" ? { options: fields.options } : fields;
}
