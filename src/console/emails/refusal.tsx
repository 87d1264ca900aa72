import type { Chapters } from "../i18n/load-chapter.js";
import { useChapter, useFormats } from "../i18n/words.js";

/** Meanings of the enhanced status codes (RFC 3463) that registrars can act on. */
const MEANINGS: Readonly<Record<string, keyof Chapters["emails"]["refusals"]>> = {
  "5.1.1": "noMailbox",
  "5.1.2": "noDomain",
  "5.1.3": "noMailbox",
  "5.1.6": "noMailbox",
  "5.1.10": "noDomain",
  "5.2.1": "disabled",
  "5.2.2": "full",
  "5.2.3": "tooLarge",
  "5.3.4": "tooLarge",
};

/** Explains why the email server refused an email: the meaning of the server's status code, and the code itself. */
export function EmailRefusal({ of }: { readonly of: string }) {
  const words = useChapter("emails");
  const { colon } = useFormats();
  if (of === "") return null;
  const answer = / (?:failed with|answered) (.*)$/.exec(of)?.[1] ?? of; // "answered" until release 1.0.0
  const meaning = MEANINGS[answer.split(" ")[1] ?? ""];
  return (
    <span className="second">
      {meaning ? words.refusals[meaning] : words.answered}
      {colon}
      <bdi dir="ltr">{answer}</bdi>
    </span>
  );
}
