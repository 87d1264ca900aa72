import { MAX_REASON } from "#foundation/limits.js";
import { TextField } from "../components/fields.js";
import { useWords } from "../i18n/words.js";

/** A field for the reason. It shows a preview of the public page, because anyone can read the reason there. */
export function ReasonField({
  reason,
  onChange,
}: {
  readonly reason: string;
  readonly onChange: (reason: string) => void;
}) {
  const { credentials: words } = useWords();
  return (
    <>
      <TextField
        label={words.reason}
        field="reason"
        help={words.reasonIsPublic}
        value={reason}
        maxLength={MAX_REASON}
        required
        onType={onChange}
      />
      {reason.trim() !== "" && (
        <figure className="public-words">
          <figcaption>{words.publicWillRead}</figcaption>
          <blockquote>
            <bdi>{reason.trim()}</bdi>
          </blockquote>
        </figure>
      )}
    </>
  );
}
