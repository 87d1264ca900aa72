import { timestampDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { lastDayOf, lastMomentOf } from "#domain/credentials/validity/end-of-validity.js";
import { verifyUrl } from "#domain/credentials/verify-url.js";
import { plainLine } from "#foundation/text/plain-line.js";
import { type Credential, CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import {
  CredentialService,
  type ListMyCredentialsResponse,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import {
  type ClaimableCredential,
  EligibilityService,
  OfferIssuance,
} from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { callMethod } from "../http/call-method.js";
import { fillHtml, type Html, html } from "../http/html.js";
import { httpStatusOf } from "../http/http-status.js";
import type { HttpRoute } from "../http/routes.js";
import { isSameOrigin } from "../http/same-origin.js";
import { readSmallBody } from "../http/small-body.js";
import { type ClaimOutcome, claimByForm, claimForm, claimNotice, readOutcome } from "./claim.js";
import { expiredIcon, genuineIcon, invalidatedIcon } from "./icons.js";
import type { PageLanguage } from "./languages.js";
import { type HtmlPage, isolatedHtml, layout } from "./layout.js";
import { linkedInUrl } from "./linkedin-url.js";
import { PROOF_NAME } from "./log-proof.js";
import type { NegotiatedLanguage } from "./negotiate-language.js";
import type { PageContext } from "./page-context.js";
import { type PageDeps, pageRoute, type Visit } from "./page-route.js";
import { requirements } from "./requirements.js";
import { sendPage, sendRedirect } from "./send-page.js";
import { copyButton } from "./share-section.js";
import { dayInWords } from "./words-of-dates.js";

const PAGE_SIZE = 50;

interface MyCredentialsDeps extends PageDeps {
  readonly hasWallets: boolean;
  /** Whether this service signs badges. Learner records require that. */
  readonly hasRecords: boolean;
  /** Whether a log proves when credentials were recorded. */
  readonly hasProofs: boolean;
}

/** `POST /my-credentials/claim` claims a credential and redirects back to the list. */
export function claimRoute({ site, pipeline }: PageDeps): HttpRoute {
  return pageRoute(site, {
    path: "/my-credentials/claim",
    methods: ["GET", "HEAD", "POST"],
    title: "myCredentials",
    async answer({ request, response, inbound, negotiated, say }) {
      if (request.method !== "POST") return sendRedirect(response, 302, `./${negotiated.query}`);
      // Checks the origin, because browsers send the platform's cookies with POST requests from any page.
      if (!isSameOrigin(request, site.publicUrl)) return say(403, negotiated.language.claimNotFromHere);
      const form = new URLSearchParams(await readSmallBody(request));
      const outcome = await claimByForm(pipeline, inbound, form.get("context") ?? "", form).catch(refused);
      if (outcome === undefined) return say(403, negotiated.language.downloadRefused);
      const query = new URLSearchParams({
        claim: outcome,
        ...(negotiated.query !== "" && { lang: negotiated.language.tag }),
      });
      sendRedirect(response, 303, `./?${query}`);
    },
  });
}

/** @returns undefined if the visitor is not signed in */
function refused(error: unknown): undefined {
  const { code } = ConnectError.from(error);
  if (code !== Code.Unauthenticated && code !== Code.PermissionDenied) throw error;
}

/** `GET /my-credentials/` lists the credentials of the learner who is signed in to the platform. */
export function myCredentialsRoute(deps: MyCredentialsDeps): HttpRoute {
  return pageRoute(deps.site, {
    path: /^\/my-credentials(\/?)$/,
    title: "myCredentials",
    async answer(visit) {
      const {
        groups: [slash],
        query,
        response,
      } = visit;
      if (slash === "") sendRedirect(response, 301, `my-credentials/${query}`);
      else await answerList(deps, new URLSearchParams(query), visit);
    },
  });
}

async function answerList(
  { site, pipeline, ...offers }: MyCredentialsDeps,
  parameters: URLSearchParams,
  visit: Visit,
): Promise<void> {
  const { negotiated, response, inbound, say } = visit;
  const pageToken = parameters.get("page") ?? "";
  try {
    const { listMyCredentials } = CredentialService.method;
    const requested = { pageSize: PAGE_SIZE, pageToken, newestFirst: true };
    const list = await callMethod(pipeline, listMyCredentials, inbound, requested);
    const { listClaimableCredentials } = EligibilityService.method;
    const offered =
      pageToken === ""
        ? await callMethod(pipeline, listClaimableCredentials, inbound, { includeUnclaimable: true })
        : NONE;
    const outcome = readOutcome(parameters.get("claim"));
    sendPage(response, 200, listPage({ ...site, ...offers }, negotiated, list, offered.credentials, outcome));
  } catch (error) {
    const failure = ConnectError.from(error);
    const { Unauthenticated, PermissionDenied, InvalidArgument } = Code;
    if (failure.code === InvalidArgument) sendRedirect(response, 302, `./${negotiated.query}`);
    else if (failure.code === Unauthenticated || failure.code === PermissionDenied)
      say(httpStatusOf(failure), negotiated.language.downloadRefused);
    else throw error;
  }
}

type ListContext = PageContext & Pick<MyCredentialsDeps, "hasWallets" | "hasRecords" | "hasProofs">;

/** Only the first page of the list shows credentials that can be earned. */
const NONE = { credentials: [] };

function listPage(
  site: ListContext,
  negotiated: NegotiatedLanguage,
  list: ListMyCredentialsResponse,
  offered: readonly ClaimableCredential[],
  outcome: ClaimOutcome | undefined,
): HtmlPage {
  const { language } = negotiated;
  const title = language.myCredentials;
  const next = list.nextPageToken;
  const more = new URLSearchParams({ page: next, ...(negotiated.query !== "" && { lang: language.tag }) });
  const hasRecord = site.hasRecords && list.credentials.some((each) => each.hasOpenBadge && !each.isExpired);
  const cards = list.credentials.map((credential) => card(site, negotiated, credential));
  const isReady = ({ eligibility }: ClaimableCredential) =>
    eligibility?.isEligible === true && eligibility.claim !== undefined;
  const ready = offered.filter(isReady);
  const toEarn = offered.filter((each) => !isReady(each));
  return layout(site, negotiated, {
    title,
    main: html`${outcome && claimNotice(language, outcome)}<section class="card padded">
<h1>${title}</h1>
<p class="explanation">${cards.length === 0 ? language.noCredentials : language.myCredentialsMean}</p>${hasRecord ? wholeRecord(negotiated) : undefined}${cards.length > 0 && toEarn.length > 0 ? html`\n<p class="small"><a href="#to-earn">${language.toEarn}</a></p>` : undefined}
</section>
${ready.map((each) => offerCard(site, negotiated, each, "h2"))}${cards}${next === "" ? undefined : html`<p class="more"><a href="?${more.toString()}">${language.moreCredentials}</a></p>`}${
  toEarn.length === 0
    ? undefined
    : html`
<section class="to-earn" aria-labelledby="to-earn">
<h2 id="to-earn">${language.toEarn}</h2>
${toEarn.map((each) => offerCard(site, negotiated, each, "h3"))}</section>`
}`,
  });
}

function offerCard(
  site: ListContext,
  { language, query }: NegotiatedLanguage,
  offer: ClaimableCredential,
  heading: "h2" | "h3",
): Html {
  const { learningContextKey, learningContextName, eligibility } = offer;
  if (!eligibility) throw new Error("the eligibility for a claimable credential is missing");
  const { credentialTypeId, name, isEligible } = eligibility;
  const id = `${learningContextKey}-${credentialTypeId}`;
  const tag = html`${heading}`;
  return html`<article class="card padded own">
<${tag} id="credential-${id}">${isolatedHtml(learningContextName)}</${tag}>
<p>${isolatedHtml(name)}</p>
<p class="status">${isEligible ? language.ltiEarned : language.ltiNotEarned}</p>
${requirements(language, eligibility, learningContextKey)}${claimForm(language, eligibility, { context: learningContextKey }, id, query)}${issuanceWords(site, language, offer).map((sentence) => html`<p class="small">${sentence}</p>\n`)}</article>
`;
}

/**
 * Explains how the learner gets the credential, unless `claimForm` shows a button or note for it.
 */
function issuanceWords(
  { timeZone }: ListContext,
  language: PageLanguage,
  { eligibility, issuance, nextRunTime }: ClaimableCredential,
): Html[] {
  const canClaim = eligibility?.claim !== undefined;
  const claim = canClaim && !eligibility.isEligible ? [html`${language.offerClaim}`] : [];
  switch (issuance) {
    case OfferIssuance.WHEN_EARNED:
      return [...claim, html`${language.offerWhenEarned}`];
    case OfferIssuance.SCHEDULED: {
      if (!nextRunTime) return [...claim, html`${language.offerScheduled}`];
      const date = html`${dayInWords(timestampDate(nextRunTime), timeZone, language.tag)}`;
      return [...claim, fillHtml(language.offerOn, { date })];
    }
    case OfferIssuance.BY_STAFF:
      return canClaim ? claim : [html`${language.offerByStaff}`];
    default:
      return claim;
  }
}

function wholeRecord({ language, query }: NegotiatedLanguage): Html {
  return html`
<p class="whole"><a class="button quiet" href="record.json${query}" download="record.json">${language.wholeRecord}</a> <a class="button quiet" href="record.pdf${query}" download="record.pdf">${language.recordAsPdf}</a></p>
<p class="small">${language.wholeRecordMeans} ${language.recordAsPdfMeans}</p>`;
}

function card(site: ListContext, { language, query }: NegotiatedLanguage, credential: Credential): Html {
  const { timeZone, hasWallets, hasProofs } = site;
  const {
    uuid,
    verifyUuid,
    credentialType,
    learningContextName,
    createTime: created,
    expireTime: validUntil,
  } = credential;
  const day = (date: Date) => dayInWords(date, timeZone, language.tag);
  const status = statusOf(credential);
  const { words, icon } = statuses[status];
  const download = html`<a class="button" href="../download/credential/${uuid}/${query}">${language.downloadFile}</a>`;
  const wallet =
    hasWallets && credential.hasOpenBadge
      ? html` <a href="../download/credential/${uuid}/wallet${query}">${language.toWallet}</a>`
      : undefined;
  const proof =
    hasProofs && (status === "available" || status === "expired")
      ? html` <a href="../verify/${verifyUuid}/${PROOF_NAME}">${language.downloadLogProof}</a>`
      : undefined;
  const facts = [
    isolatedHtml(credentialType),
    ...(created ? [html`${day(timestampDate(created))}`] : []),
    ...(validUntil && status === "available"
      ? [html`${language.validUntil} ${day(lastMomentOf(timestampDate(validUntil)))}`]
      : []),
  ];
  return html`<article class="card padded own ${status === "available" ? "genuine" : status}">
${status === "available" && !credential.importTime ? html`<img class="thumbnail" src="../verify/${verifyUuid}/picture.png" alt="" loading="lazy" />\n` : undefined}<h2>${isolatedHtml(learningContextName)}</h2>
${facts.map((fact) => html`<p>${fact}</p>\n`)}<p class="status">${icon}${language[words]}</p>
${
  status === "generating"
    ? undefined
    : html`<p class="share">${status === "invalidated" ? undefined : download} <a href="../verify/${verifyUuid}/${query}">${language.seeForOthers}</a>${wallet}${proof}</p>
`
}${status === "available" ? shareRow(site, language, credential) : undefined}</article>
`;
}

/** @returns undefined if the holder's name is unknown, as on the page of the credential */
function shareRow(
  { publicUrl, timeZone }: ListContext,
  language: PageLanguage,
  { expireTime, createTime, importTime, ...credential }: Credential,
): Html | undefined {
  const { verifyUuid, credentialType, learningContextName, issuer, platformName, userFullName } = credential;
  if (!createTime || plainLine(userFullName) === "") return undefined;
  const link = verifyUrl(publicUrl, verifyUuid);
  const linkedIn = linkedInUrl({
    credentialType,
    learningContextName,
    organizationName: importTime ? issuer : platformName,
    issued: timestampDate(createTime),
    lastDay: expireTime ? lastDayOf(timestampDate(expireTime), timeZone) : null,
    timeZone,
    verifyUrl: link,
    verifyUuid,
  });
  return html`<p class="share"><a class="button quiet" href="${linkedIn}" rel="noreferrer">${language.addToLinkedIn}</a> ${copyButton(language, link)}</p>
`;
}

/** Failed credentials are not listed, so they have no status here. */
function statusOf({ status, isExpired }: Credential): keyof typeof statuses {
  if (status === CredentialStatus.INVALIDATED) return "invalidated";
  if (status !== CredentialStatus.AVAILABLE) return "generating";
  return isExpired ? "expired" : "available";
}

const statuses = {
  available: { words: "statusAvailable", icon: genuineIcon },
  invalidated: { words: "statusInvalidated", icon: invalidatedIcon },
  expired: { words: "statusExpired", icon: expiredIcon },
  generating: { words: "statusGenerating", icon: undefined },
} as const satisfies Record<string, { readonly words: keyof PageLanguage; readonly icon: Html | undefined }>;
