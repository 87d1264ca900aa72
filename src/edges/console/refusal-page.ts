import type { ServerResponse } from "node:http";
import type { ConnectError } from "@connectrpc/connect";
import { Problem } from "#foundation/errors.js";
import { fillHtml, html } from "../http/html.js";
import { httpStatusOf } from "../http/http-status.js";
import { contactUrl } from "../pages/brand.js";
import { isolatedHtml, layout } from "../pages/layout.js";
import type { NegotiatedLanguage } from "../pages/negotiate-language.js";
import type { PageContext } from "../pages/page-context.js";
import { sendPage } from "../pages/send-page.js";

type Facts = Readonly<Record<string, string>>;

type Sentence =
  | "signInNotBegun"
  | "signInCancelled"
  | "signInNotProven"
  | "providerOutOfReach"
  | "notStaff"
  | "notAPerson"
  | "signInRefused"
  | "outOfReach"
  | "fault"
  | "onlyGet";

interface Refusal {
  readonly sentence: Sentence;
  readonly facts: Facts;
}

/** The page's sentence for each value of the `refusal` fact of a Problem. */
const sentences: Readonly<Record<string, Sentence>> = {
  "not-begun": "signInNotBegun",
  cancelled: "signInCancelled",
  "not-proven": "signInNotProven",
  "out-of-reach": "providerOutOfReach",
  "not-staff": "notStaff",
  "not-a-person": "notAPerson",
};

export function refusalOf(failure: ConnectError): Refusal {
  const facts = (failure.cause instanceof Problem && failure.cause.facts) || {};
  return { sentence: sentences[facts.refusal ?? ""] ?? generalSentence(httpStatusOf(failure)), facts };
}

function generalSentence(status: number): Sentence {
  if (status === 403) return "signInRefused";
  return status === 429 || status === 503 || status === 504 ? "outOfReach" : "fault";
}

function contactLine({ brands }: PageContext, { contact: label, colon }: NegotiatedLanguage["language"]) {
  const { contact } = brands.of("");
  return contact === ""
    ? undefined
    : html`<p>${label}${colon}<a href="${contactUrl(contact)}">${isolatedHtml(contact)}</a></p>
`;
}

/** Sends a page that explains why the sign-in failed. Does nothing if the user has disconnected. */
export function sendRefusal(
  {
    site,
    home,
  }: {
    readonly site: PageContext;
    /** URL of the console, relative to the page. */
    readonly home: string;
  },
  negotiated: NegotiatedLanguage,
  response: ServerResponse,
  status: number,
  sentence: Sentence,
  facts: Facts = {},
): void {
  const { language } = negotiated;
  const explanation = fillHtml<{ username: string; claims: string }>(language[sentence], {
    username: isolatedHtml(facts.username ?? ""),
    claims: isolatedHtml(facts.claims ?? ""),
  });
  const page = layout(site, negotiated, {
    title: language.signIn,
    isOneOff: true,
    main: html`<section class="card padded">
<h1>${language.notSignedIn}</h1>
<p class="explanation">${explanation}</p>
${contactLine(site, language)}<p><a href="${home}">${language.backToConsole}</a></p>
</section>`,
  });
  sendPage(response, status, page);
}
