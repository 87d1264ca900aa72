import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { CheckIcon, WaitingIcon } from "../components/icons.js";
import { useChapter } from "../i18n/words.js";
import "./picture.css";

/** A requirement, a credential, or a group of these. */
export interface Step {
  readonly text: string;
  /** The credential whose page a click on the step opens. */
  readonly link?: { readonly typeId: number } | { readonly verifyUuid: string } | undefined;
  /** Whether the learner has met the requirement; undefined if the picture is not about a learner. */
  readonly isMet?: boolean;
  readonly details?: readonly string[];
  readonly parts?: readonly Step[];
}

export function StepsPicture({ label, steps }: { readonly label: string; readonly steps: readonly Step[] }) {
  return (
    <ul className="picture" aria-label={label}>
      <Steps of={steps} />
    </ul>
  );
}

function Steps({ of }: { readonly of: readonly Step[] }): ReactNode {
  const words = useChapter("trees");
  return of.map(({ text, link, isMet, details = [], parts = [] }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: steps are identified only by their place
    <li key={at} data-met={isMet}>
      <div className="picture-step">
        {isMet !== undefined && (
          <span className={isMet ? "tone-good" : "tone-plain"}>
            {isMet ? <CheckIcon /> : <WaitingIcon />}
            <span className="away-from-view">{isMet ? words.met : words.notMet}</span>
          </span>
        )}
        <div>
          {link ? <StepLink to={link}>{text}</StepLink> : <span>{text}</span>}
          {details.map((line) => (
            <span key={line} className="second">
              {line}
            </span>
          ))}
        </div>
      </div>
      {parts.length > 0 && (
        <ul>
          <Steps of={parts} />
        </ul>
      )}
    </li>
  ));
}

function StepLink({
  to,
  children,
}: {
  readonly to: NonNullable<Step["link"]>;
  readonly children: ReactNode;
}) {
  if ("typeId" in to)
    return (
      <Link to="/types/$id" params={{ id: String(to.typeId) }}>
        {children}
      </Link>
    );
  return (
    <Link to="/credentials" search={{ q: to.verifyUuid }}>
      {children}
    </Link>
  );
}
