import type { IncomingMessage, ServerResponse } from "node:http";
import { ConnectError } from "@connectrpc/connect";
import type { Logger } from "pino";
import { toRpcError } from "../../api/codes.js";
import { Cancellation } from "../../cancellation.js";
import { Problem } from "../../errors.js";
import { abortOnClose } from "../inbound.js";
import { httpStatusOf } from "../rest/http-status.js";
import { messagePage } from "./message-page.js";
import { sendPage } from "./send-page.js";
import type { Site } from "./site.js";
import { type Spoken, spokenLanguage } from "./spoken-language.js";

/** As long as a call of any other door may take. */
const TIMEOUT_MS = 30_000;

/** Somebody at one of our pages. */
export interface Visit {
  readonly spoken: Spoken;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Aborts when the visitor is gone, or has waited for too long. */
  readonly abort: Cancellation;
  /** Answers with a page that says one thing, under the title of this place. */
  say(status: number, sentence: string): void;
}

/**
 * Answers a request by GET or HEAD, and any other with 405. A visitor is told when `answer` fails, but not of what.
 * @param title the key of what the place is called
 */
export function answerVisit(
  to: { site: Site; log: Logger; title: "verification" | "download" },
  request: IncomingMessage,
  response: ServerResponse,
  answer: (visit: Visit) => void | Promise<void>,
): void {
  const { site, log, title } = to;
  const spoken = spokenLanguage(request, site.language);
  const { language } = spoken;
  const say = (status: number, sentence: string) =>
    sendPage(response, status, messagePage(site, spoken, language[title], sentence));
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.setHeader("allow", "GET, HEAD");
    say(405, language.onlyGet);
    return;
  }
  const retryAfter = site.countVisit(request);
  if (retryAfter !== undefined) {
    response.setHeader("retry-after", retryAfter);
    say(429, language.outOfReach);
    return;
  }
  const abort = abortedIn(response);
  const run = async () => answer({ spoken, request, response, abort, say });
  run().catch((error) => {
    if (response.destroyed) return;
    const isLogged = error instanceof ConnectError; // by the pipeline
    // Not the path: it may be a secret.
    if (!isLogged) log.error({ err: error }, `the ${title} page failed`);
    const failure = isLogged ? error : toRpcError(abort.isAborted ? abort.reason : error);
    const status = httpStatusOf(failure);
    const mayPass = status === 503 || status === 504;
    const wait = failure.metadata.get("retry-after");
    if (wait !== null) response.setHeader("retry-after", wait);
    say(mayPass ? 503 : 500, mayPass ? language.outOfReach : language.fault);
  });
}

function abortedIn(response: ServerResponse): Cancellation {
  const abort = new Cancellation();
  const timer = setTimeout(
    () => abort.abort(new Problem("deadline-exceeded", "The page took too long.")),
    TIMEOUT_MS,
  );
  response.once("close", () => clearTimeout(timer));
  abortOnClose(abort, response);
  return abort;
}
