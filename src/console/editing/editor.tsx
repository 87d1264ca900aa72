import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Button } from "../components/button.js";
import { DesignPreview } from "../components/design-preview.js";
import { lazily } from "../components/lazily.js";
import { useIsDesign } from "../components/use-is-design.js";
import { useCaller } from "../components/use-may.js";
import { useChapter } from "../i18n/words.js";
import { useFunctions } from "../options/use-functions.js";
import { isSameState } from "./compare-versions.js";
import { EditingForm } from "./editing-form.js";
import { useEditing } from "./use-editing.js";
import type { EditedFields } from "./version.js";
import type { ViewDialogName } from "./view-dialog.js";
import type { ViewProps } from "./view-props.js";

const ViewDialog = lazily(() => import("./view-dialog.js"), "ViewDialog");
const Conflict = lazily(() => import("./conflict.js"), "Conflict");
const Workshop = lazily(() => import("./workshop.js"), "Workshop");

/** Edits a type or configuration in the visual designer or in a form. Resolves conflicts with other users. */
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
  readonly owner: string;
}) {
  const { subject, why } = given;
  const navigate = useNavigate();
  const isDesign = useIsDesign();
  const [opened, setOpened] = useState<ViewDialogName>();
  const editing = useEditing(subject, owner, why);
  const props = { ...given, editing };
  const { draft, read } = editing;
  const show = (hash: "design" | "form") => () =>
    void navigate({ to: ".", search: true, hash, replace: true, resetScroll: false });
  const conflict = editing.isOutdated && draft && (
    <Conflict
      draft={draft}
      theirs={subject.saved}
      inherited={editing.inherited}
      partName={editing.partName}
      onMerge={editing.merge}
    />
  );
  return (
    <>
      {isDesign && read.kind === "options" ? (
        <Workshop {...props} own={read.options} onForm={show("form")} onOpen={setOpened}>
          {conflict}
        </Workshop>
      ) : (
        <FormView {...props} onDesign={show("design")} onOpen={setOpened}>
          {conflict}
        </FormView>
      )}
      {opened && <ViewDialog {...props} name={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

function FormView({
  onDesign,
  onOpen,
  children,
  ...props
}: ViewProps & {
  readonly onDesign: () => void;
  readonly onOpen: (name: ViewDialogName) => void;
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
        <Button variant="quiet" onPress={() => onOpen("share")}>
          {words.share}
        </Button>
        {props.subject.revised && (
          <Button variant="quiet" onPress={() => onOpen("history")}>
            {words.history}
          </Button>
        )}
      </div>
      <div className="beside designing">
        <EditingForm {...props} />
        <div className="desk">
          {draft && read.kind === "options" && !isSameState(previewed, fields) && (
            <Button onPress={() => setPreviewing(fields)}>{words.previewAgain}</Button>
          )}
          <DesignPreview
            label={words.preview}
            request={previewOf(previewed, isSameState(previewed, saved.fields))}
          />
        </div>
      </div>
    </>
  );
}
