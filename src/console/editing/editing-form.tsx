import { ConnectError } from "@connectrpc/connect";
import { Link } from "@tanstack/react-router";
import { mergeOptions, REQUIREMENTS } from "#foundation/text/merge-options.js";
import { Button } from "../components/button.js";
import { Failure } from "../components/failure.js";
import { Options, SelectField } from "../components/fields.js";
import { useChapter, useWords } from "../i18n/words.js";
import { BadgeAccent } from "../options/badge-shape-input.js";
import { OptionsField } from "../options/options-field.js";
import { optionsText } from "../options/read-options.js";
import { WhoGetsIt } from "../requirements/who-gets-it.js";
import { NameField, problemAt } from "./name-field.js";
import { optionOf } from "./use-editing.js";
import type { ViewProps } from "./view-props.js";

export function EditingForm(props: ViewProps) {
  const { subject, editing, functions, why } = props;
  const words = useChapter("designing");
  const { fields, failed, read, type } = editing;
  return (
    <form
      className="stack card padded"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        editing.save();
      }}
    >
      {!subject.type && <NameField editing={editing} why={why} />}
      <Eligibility {...props} />
      {!subject.type && <DesignFunction {...props} />}
      <BadgeAccent value={accentOf(editing)}>
        <OptionsField
          label={subject.optionsLabel}
          help={subject.optionsHelp}
          text={fields.options}
          functions={functions.of(editing.functionNames)}
          isReadOnly={why !== undefined}
          problem={
            failed?.at === "options"
              ? { option: optionOf(failed.error), text: <Failure error={failed.error} /> }
              : undefined
          }
          onType={(text) => type("options", text)}
        />
      </BadgeAccent>
      {failed && failed.at === undefined && <Failure error={failed.error} />}
      <Saving {...props} />
      {read.kind === "options" && subject.asCode(fields, editing.base.etag)}
      <details className="small">
        <summary>{words.forPrograms}</summary>
        {Object.values(editing.functionNames).map((path) => (
          <p key={path}>
            <code dir="ltr">{path}</code>
          </p>
        ))}
      </details>
    </form>
  );
}

function accentOf({ read, inherited = {} }: ViewProps["editing"]) {
  return read.kind === "options" ? mergeOptions(inherited, read.options).accent_color : undefined;
}

function Eligibility(props: ViewProps) {
  const { subject, editing, why } = props;
  const { fields, failed, read } = editing;
  if (read.kind !== "options") return null;
  return (
    <WhoGetsIt
      retrievalFunc={editing.functionNames.retrievalFunc}
      own={read.options}
      inherited={editing.inherited}
      isReadOnly={why !== undefined}
      context={subject.tryIn}
      isFixed={subject.learningContextKey !== undefined}
      offerIn={subject.offerIn}
      problem={failed && ConnectError.from(failed.error).rawMessage}
      fault={
        problemAt(editing, "retrievalFunc") ||
        (failed && optionOf(failed.error) === REQUIREMENTS && <Failure error={failed.error} />)
      }
      onFunction={
        subject.type
          ? undefined
          : (name, own) => editing.change({ ...fields, retrievalFunc: name, options: optionsText(own) })
      }
      onChange={(own) => editing.type("options", optionsText(own))}
    />
  );
}

/** The field for choosing the design function. There is only one function unless a plug-in adds another. */
function DesignFunction(props: ViewProps) {
  const { editing, functions, why } = props;
  const words = useChapter("designing");
  const { generationFunc } = editing.functionNames;
  const names = [...new Set([generationFunc, ...functions.generating.map(({ name }) => name)])];
  const problem = problemAt(editing, "generationFunc");
  if (names.length === 1) return problem;
  return (
    <SelectField
      label={words.design}
      field="generation_func"
      value={generationFunc}
      disabled={why !== undefined}
      problem={problem}
      onChoose={(name) => editing.type("generationFunc", name)}
    >
      <Options of={names} nameOf={(name) => functions.meaningOf(name)} />
    </SelectField>
  );
}

function Saving({ subject, editing, why }: ViewProps) {
  const { parts } = useWords();
  const words = useChapter("designing");
  const { draft, isSaved, isSaving } = editing;
  return (
    <>
      <p className="small faint">{subject.saveMeans}</p>
      <div className="actions">
        <Button type="submit" variant="primary" why={why} isDisabled={!editing.canSave}>
          {isSaving ? parts.working : subject.saveLabel}
        </Button>
        {draft && (
          <Button variant="quiet" onPress={editing.discard}>
            {words.discard}
          </Button>
        )}
      </div>
      <p role="status" className="small">
        {draft ? words.unsaved : isSaved && words.saved}{" "}
        {!draft && isSaved && subject.issued && (
          <Link to="/credentials" search={{ ...subject.issued, status: "valid" }}>
            {words.reissueBefore}
          </Link>
        )}
      </p>
    </>
  );
}
