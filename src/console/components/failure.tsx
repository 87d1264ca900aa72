import { Code, ConnectError } from "@connectrpc/connect";
import { useMemo, useRef } from "react";
import type { ConsoleWording } from "../i18n/load-chapter.js";
import { useWords } from "../i18n/words.js";
import { Button } from "./button.js";
import { useExplanation } from "./use-explanation.js";

/**
 * Shows an error in the reader's language. The text depends on the error's reason and field or, if there are none, on
 * its code. The service's own message and the request id follow.
 */
export function Failure({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
}) {
  const { failures } = useWords();
  const problem = useMemo(() => ConnectError.from(error), [error]);
  const container = useRef<HTMLDivElement>(null);
  const explanation = useExplanation(problem, container);
  const inDetail = (
    <p lang="en" dir="ltr">
      {problem.rawMessage}
    </p>
  );
  const requestId = problem.metadata.get("x-request-id");
  return (
    <div ref={container} role="alert" className="notice notice-bad">
      <p className="notice-heading">{explanation?.text ?? meaningOf(problem.code, failures)}</p>
      {explanation?.isComplete ? (
        <details className="small">
          <summary>{failures.inDetail}</summary>
          {inDetail}
        </details>
      ) : (
        inDetail
      )}
      {requestId && (
        <p className="small">
          {failures.requestId} <code>{requestId}</code>
        </p>
      )}
      {onRetry && <Button onPress={onRetry}>{failures.again}</Button>}
    </div>
  );
}

function meaningOf(code: Code, words: ConsoleWording["failures"]): string {
  return words[meanings[code] ?? "unknown"];
}

const meanings: Partial<Record<Code, keyof ConsoleWording["failures"]>> = {
  [Code.NotFound]: "notFound",
  [Code.PermissionDenied]: "denied",
  [Code.InvalidArgument]: "invalid",
  [Code.OutOfRange]: "invalid",
  [Code.Aborted]: "conflict",
  [Code.AlreadyExists]: "conflict",
  [Code.FailedPrecondition]: "conflict",
  [Code.ResourceExhausted]: "busy",
  [Code.Unavailable]: "away",
  [Code.DeadlineExceeded]: "away",
};
