import { Code, ConnectError } from "@connectrpc/connect";
import { useMemo } from "react";
import type { ConsoleWording } from "../languages/en/core.js";
import { useWords } from "../reader/words.js";
import { Button } from "./button.js";
import { useExplanation } from "./use-explanation.js";

/**
 * Says what failed, in the reader's language: by the error's reason and field, else by its code. The service's own words
 * follow, and the id of the request.
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
  const explanation = useExplanation(problem);
  const inDetail = (
    <p lang="en" dir="ltr">
      {problem.rawMessage}
    </p>
  );
  const requestId = problem.metadata.get("x-request-id");
  return (
    <div role="alert" className="notice notice-bad">
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

/** What a failure means for the reader. */
export function meaningOf(code: Code, words: ConsoleWording["failures"]): string {
  switch (code) {
    case Code.NotFound:
      return words.notFound;
    case Code.PermissionDenied:
      return words.denied;
    case Code.InvalidArgument:
    case Code.OutOfRange:
      return words.invalid;
    case Code.Aborted:
    case Code.AlreadyExists:
    case Code.FailedPrecondition:
      return words.conflict;
    case Code.ResourceExhausted:
      return words.busy;
    case Code.Unavailable:
    case Code.DeadlineExceeded:
      return words.away;
    default:
      return words.unknown;
  }
}
