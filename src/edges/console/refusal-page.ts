import type { ServerResponse } from "node:http";
import type { ConnectError } from "@connectrpc/connect";
import { Problem } from "#foundation/errors.js";
import { type Html, html } from "../http/html.js";
import { httpStatusOf } from "../http/http-status.js";
import type { PageLanguage } from "../pages/languages.js";
import { given, layout } from "../pages/layout.js";
import type { NegotiatedLanguage } from "../pages/negotiate-language.js";
import type { PageContext } from "../pages/page-context.js";
import { sendPage } from "../pages/send-page.js";

type Facts = Readonly<Record<string, string>>;

/** Why somebody could not sign in, as a sentence of the page's words and what stands for its placeholders. */
interface Refusal {
  readonly sentence: keyof PageLanguage & string;
  readonly facts: Facts;
}

/** The sentences, by the `refusal` that problems state as a fact. */
const sentences: Readonly<Record<string, Refusal["sentence"]>> = {
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

function generalSentence(status: number): Refusal["sentence"] {
  if (status === 403) return "signInRefused";
  return status === 429 || status === 503 || status === 504 ? "outOfReach" : "fault";
}

/** Sends a page of one sentence in the reader's language, unless they are gone. */
export function sendRefusal(
  {
    site,
    home,
  }: {
    readonly site: PageContext;
    /** Address of the console, relative to the page. */
    readonly home: string;
  },
  spoken: NegotiatedLanguage,
  response: ServerResponse,
  status: number,
  sentence: Refusal["sentence"],
  facts: Facts = {},
): void {
  const { language } = spoken;
  const page = layout(site, spoken, {
    title: language.signIn,
    isOneOff: true,
    main: html`<section class="card padded">
<h1>${language.notSignedIn}</h1>
<p class="explanation">${filled(String(language[sentence]), facts)}</p>
<p><a href="${home}">${language.backToConsole}</a></p>
</section>`,
  });
  sendPage(response, status, page);
}

/** Fills the placeholders of a sentence. Each value keeps its own writing direction. */
function filled(sentence: string, facts: Facts): Html[] {
  return sentence.split(/(\{\w+\})/).map((part) => {
    const fact = facts[part.slice(1, -1)];
    return part.startsWith("{") && fact !== undefined ? given(fact) : html`${part}`;
  });
}
