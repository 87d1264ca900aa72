import { useId } from "react";
import { useWords } from "../reader/words.js";

/** As many characters as the service takes. */
const MAX_REASON = 255;

/** Asks for a reason, and shows what the public page will say: strangers read it. */
export function ReasonField({
  reason,
  onChange,
}: {
  readonly reason: string;
  readonly onChange: (reason: string) => void;
}) {
  const { credentials: words } = useWords();
  const id = useId();
  return (
    <>
      <div className="field">
        <label htmlFor={id}>{words.reason}</label>
        <input
          id={id}
          value={reason}
          maxLength={MAX_REASON}
          required
          autoComplete="off"
          aria-describedby={`${id}-public`}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        <p id={`${id}-public`} className="small faint">
          {words.reasonIsPublic}
        </p>
      </div>
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
