import { MAX_NAME } from "#foundation/limits.js";
import { Failure } from "../components/failure.js";
import { TextField } from "../components/fields.js";
import { useChapter } from "../i18n/words.js";
import type { FieldName } from "./version.js";
import type { ViewProps } from "./view-props.js";

export function NameField({ editing, why }: Pick<ViewProps, "editing" | "why">) {
  const words = useChapter("designing");
  return (
    <TextField
      label={words.name}
      field="name"
      dir="auto"
      value={editing.fields.name ?? ""}
      maxLength={MAX_NAME}
      required
      readOnly={why !== undefined}
      problem={problemAt(editing, "name")}
      onType={(text) => editing.type("name", text)}
    />
  );
}

/** Shows why saving failed, if this field is the reason. */
export function problemAt({ failed }: Pick<ViewProps["editing"], "failed">, name: FieldName) {
  return failed?.at === name && <Failure error={failed.error} />;
}
