import { base64Encode } from "@bufbuild/protobuf/wire";
import { type ReactNode, useId, useState } from "react";
import type { PreviewEmailResponse } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { CheckField } from "../components/fields.js";
import { HtmlFrame } from "../components/html-frame.js";
import { useChapter } from "../i18n/words.js";
import "./emails.css";

export function ShownEmail({
  email,
  lang,
  children,
}: {
  readonly email: PreviewEmailResponse;
  /** BCP 47 tag of the email's language, if known. */
  readonly lang?: string;
  readonly children?: ReactNode;
}) {
  const words = useChapter("emails");
  const [isText, setIsText] = useState(false);
  const name = useId();
  return (
    <article className="email-shown stack">
      {children}
      <fieldset className="actions filter-presets">
        <legend className="away-from-view">{words.previewEmail}</legend>
        {[words.asEmail, words.asText].map((label, index) => (
          <CheckField
            key={label}
            type="radio"
            name={name}
            label={label}
            checked={isText === (index === 1)}
            onChoose={() => setIsText(index === 1)}
          />
        ))}
      </fieldset>
      <p dir="auto" lang={lang}>
        <strong>{email.subject}</strong>
      </p>
      {isText ? (
        <pre className="email-text" dir="auto" lang={lang}>
          {email.text}
        </pre>
      ) : (
        <HtmlFrame html={documentOf(email)} title={email.subject} />
      )}
    </article>
  );
}

/**
 * Returns the email's HTML with its images embedded. The console's content security policy also applies in the frame
 * and forbids style attributes, so the declarations are moved to a style element. All links get the target `_blank`, so
 * they do nothing: the sandbox permits no new windows.
 */
function documentOf({ html, images }: PreviewEmailResponse): string {
  const { nonce } = document.querySelector<HTMLElement>("script[nonce]") ?? {};
  const { theme = "light dark" } = document.documentElement.dataset; // a frame doesn't inherit the theme
  const rules = [`:root { color-scheme: ${theme} }`];
  const styled = html.replace(/ style="([^"]*)"/g, (_, declarations: string) => {
    rules.push(`[data-style="${rules.length}"] { ${declarations} }`);
    return ` data-style="${rules.length - 1}"`;
  });
  return images
    .reduce(
      (shown, { contentId, contentType, content }) =>
        shown.replaceAll(`"cid:${contentId}"`, `"data:${contentType};base64,${base64Encode(content)}"`),
      styled,
    )
    .replace(
      "</head>",
      () => `<base target="_blank" /><style nonce="${nonce}">${rules.join("\n")}</style></head>`,
    );
}
