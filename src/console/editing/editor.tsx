import { useLocation, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Button } from "../components/button.js";
import { DesignPreview } from "../components/design-preview.js";
import { lazily } from "../components/lazily.js";
import { useCaller } from "../components/use-may.js";
import { useChapter } from "../i18n/chapter.js";
import { useFunctions } from "../options/use-functions.js";
import { EditingForm } from "./editing-form.js";
import { isSameFields, useEditing } from "./use-editing.js";
import type { EditedFields } from "./version.js";
import type { ViewProps } from "./view-props.js";

const HistoryDialog = lazily(() => import("./history-dialog.js"), "HistoryDialog");
const Conflict = lazily(() => import("./conflict.js"), "Conflict");
const Workshop = lazily(() => import("./workshop.js"), "Workshop");

/** The value of the view parameter in the address for the visual designer. */
const DESIGN = "design";

/**
 * Edits a type or configuration, in the visual designer or in a form. If two people edit at once, it offers a choice.
 */
export function Editor(props: Pick<ViewProps, "subject" | "why">) {
  const caller = useCaller().data;
  const functions = useFunctions();
  if (!caller || functions.isPending) return null;
  return <Views {...props} owner={caller.username} functions={functions} />;
}

function Views({
  owner,
  ...given
}: Omit<ViewProps, "editing"> & {
  /** Username of the draft's owner. */
  readonly owner: string;
}) {
  const { subject, why } = given;
  const navigate = useNavigate();
  const isDesign = useLocation({ select: ({ hash }) => hash === DESIGN });
  const [isLookingBack, setLookingBack] = useState(false);
  const editing = useEditing(subject, owner, why);
  const props = { ...given, editing };
  const { draft, read } = editing;
  const show = (hash: string) => () =>
    void navigate({ to: ".", search: true, hash, replace: true, resetScroll: false });
  const lookBack = subject.revised && (() => setLookingBack(true));
  const conflict = editing.isOutdated && draft && (
    <Conflict draft={draft} theirs={subject.saved} partName={editing.partName} onMerge={editing.merge} />
  );
  return (
    <>
      {isDesign && read.kind === "options" ? (
        <Workshop {...props} own={read.options} onForm={show("")} onHistory={lookBack}>
          {conflict}
        </Workshop>
      ) : (
        <FormView {...props} onDesign={show(DESIGN)} onHistory={lookBack}>
          {conflict}
        </FormView>
      )}
      {subject.revised && isLookingBack && (
        <HistoryDialog
          revised={subject.revised}
          saved={subject.saved.fields}
          type={subject.type}
          partName={editing.partName}
          previewOf={(state) => subject.previewOf(state, false)}
          onRestore={
            why === undefined
              ? (state) => {
                  editing.change(state);
                  setLookingBack(false);
                }
              : undefined
          }
          onClose={() => setLookingBack(false)}
        />
      )}
    </>
  );
}

function FormView({
  onDesign,
  onHistory,
  children,
  ...props
}: ViewProps & {
  readonly onDesign: () => void;
  readonly onHistory: (() => void) | undefined;
  readonly children: ReactNode;
}) {
  const words = useChapter("designing");
  const { fields, draft, read } = props.editing;
  const { saved, previewOf } = props.subject;
  const [previewing, setPreviewing] = useState<EditedFields>();
  const previewed = (draft && previewing) ?? saved.fields;
  return (
    <>
      {children}
      <div className="views">
        <Button onPress={onDesign}>{words.views.design}</Button>
        {onHistory && (
          <Button variant="quiet" onPress={onHistory}>
            {words.history}
          </Button>
        )}
      </div>
      <div className="beside designing">
        <EditingForm {...props} />
        <div className="desk">
          {draft && read.kind === "options" && !isSameFields(previewed, fields) && (
            <Button onPress={() => setPreviewing(fields)}>{words.previewAgain}</Button>
          )}
          <DesignPreview
            label={words.preview}
            request={previewOf(previewed, isSameFields(previewed, saved.fields))}
          />
        </div>
      </div>
    </>
  );
}
