import type { IncomingMessage } from "node:http";
import { Code, ConnectError } from "@connectrpc/connect";
import type { PublicRoute } from "#api/pipeline/pipeline.js";
import { isCode } from "#domain/credentials/aliases/alias.js";
import type { LookUpCode } from "#domain/credentials/aliases/look-up-alias.js";
import { readOldCode } from "#domain/credentials/aliases/old-addresses.js";
import type { CredentialProofs } from "#domain/credentials/checkpoints/prove-credential.js";
import { findUuid } from "#domain/credentials/find-uuid.js";
import { noSuchCredential } from "#domain/credentials/get-credential.js";
import { readShortCode } from "#domain/credentials/short-code.js";
import { isUuid } from "#domain/credentials/uuid.js";
import type { LookUpVerification } from "#domain/credentials/verification/look-up-verification.js";
import { invalid } from "#foundation/errors.js";
import { checkFileScript } from "#gen/pages/check-file-script.js";
import { basePathOf } from "../http/base-path.js";
import { decodePercent } from "../http/percent.js";
import type { HttpRoute } from "../http/routes.js";
import { sendAnswer } from "../http/send-answer.js";
import { CHECK_FILE_PATH } from "./any-file.js";
import { logProofRoute } from "./log-proof.js";
import { queryOf } from "./negotiate-language.js";
import { issuerImage } from "./page-context.js";
import { type PageDeps, pageRoute, type Visit } from "./page-route.js";
import { readVerifyAddress, readVerifyUuid } from "./read-verify-uuid.js";
import { sendPage, sendRedirect } from "./send-page.js";
import { verifyForm } from "./verify-form.js";
import { notFoundPage, verificationPage } from "./verify-page.js";

const route: PublicRoute = { name: "GET /verify/", kind: "unary" };

interface LookUps {
  readonly lookUp: LookUpVerification;
  /** Like `lookUp`, but the figures don't count it as a verification. */
  readonly lookUpUncounted: LookUpVerification;
  readonly lookUpCode: LookUpCode;
}

/**
 * `GET /verify/<verify_uuid>/` is the page that printed QR codes link to. `GET /verify/` shows a form for the UUID. Two
 * URLs redirect to the page of a credential: `GET /v/<code>`, a short URL that is printed for typing, and
 * `GET /verify/<code>/` with the code from the system that originally issued the credential. Nothing is cached, so a
 * page never shows an outdated status.
 */
export function verifyRoutes(
  deps: PageDeps,
  lookUps: LookUps,
  proofs: CredentialProofs | undefined,
): HttpRoute[] {
  const verifyRoute = (path: string | RegExp, answer: (visit: Visit) => Promise<void>) =>
    pageRoute(deps.site, { path, title: "verification", answer });
  return [
    ...(proofs ? [logProofRoute(deps, proofs)] : []),
    verifyRoute(CHECK_FILE_PATH, (visit) => answerScript(deps, visit)),
    verifyRoute(/^\/v\/([^/]+)(\/?)$/, (visit) => answerCode(deps, visit)),
    verifyRoute(/^\/verify(?:\/([^/]+))?(\/?)$/, (visit) => {
      const [segment, slash] = visit.groups;
      const decorated = decoratedUuid(segment, deps.site.publicUrl);
      const up = slash === "" ? "" : "../";
      if (decorated !== undefined) return redirect(deps, `${up}${decorated}/${visit.query}`, visit);
      if (slash === "")
        return redirect(deps, `${basePathOf(deps.site.publicUrl)}${visit.path}/${visit.query}`, visit);
      return segment === undefined
        ? answerForm(deps, lookUps, proofs, visit)
        : answerSegment(deps, { ...lookUps, proofs }, segment, visit);
    }),
    verifyRoute(/^\/verify\/([^/]+)\/(?:%[\dA-Fa-f]{2}|[^\w/%])+$/, (visit) =>
      redirect(deps, `../${visit.groups[0]}/${visit.query}`, visit),
    ),
  ];
}

/**
 * Finds the UUID in a path segment. Programs that find links in text often include the characters after a link. A code
 * of another system may contain a UUID, so `answerSegment` looks up codes first.
 */
function decoratedUuid(segment: string | undefined, publicUrl: string): string | undefined {
  if (segment === undefined || isUuid(segment)) return undefined;
  const text = decodePercent(segment) ?? segment;
  return readVerifyAddress(text, publicUrl) ?? (isCode(text) ? undefined : findUuid(text));
}

function redirect({ pipeline }: PageDeps, location: string, { response, inbound }: Visit): Promise<void> {
  return pipeline.visit(route, inbound, async () => sendRedirect(response, 301, location));
}

/** Redirects to the page of a code without looking up the code. The redirect is relative, like that of the form. */
async function answerCode(
  { site, pipeline }: PageDeps,
  { groups: [code = "", end], negotiated, response, inbound }: Visit,
): Promise<void> {
  await pipeline.visit(route, inbound, async () => {
    const enteredCode = decodePercent(code) ?? code;
    const verifyUuid = readShortCode(enteredCode) ?? readVerifyUuid(enteredCode, site.publicUrl);
    const up = end === "" ? ".." : "../..";
    if (verifyUuid !== undefined)
      sendRedirect(response, 301, `${up}/verify/${verifyUuid}/${negotiated.query}`);
    else sendPage(response, 404, notFoundPage(site, negotiated, enteredCode, new Date()));
  });
}

/** Browsers revalidate the script for each request, because the script must match the page. */
async function answerScript({ pipeline }: PageDeps, { response, inbound }: Visit): Promise<void> {
  await pipeline.visit(route, inbound, async () =>
    sendAnswer(response, {
      contentType: "text/javascript; charset=utf-8",
      headers: ["Cache-Control", "no-cache"],
      body: checkFileScript,
      isConditional: true,
    }),
  );
}

/**
 * Shows the form, or redirects to the page for the input. The redirect is relative, because a proxy may serve the
 * service below a path.
 */
async function answerForm(
  { site, pipeline }: PageDeps,
  { lookUpCode }: LookUps,
  proofs: CredentialProofs | undefined,
  visit: Visit,
): Promise<void> {
  const { negotiated, request, response, inbound } = visit;
  const entered = queryOf(request).get("id") ?? "";
  let logKeys: readonly string[] | undefined;
  try {
    await pipeline.visit(route, inbound, async ({ cancellation }) => {
      const verifyUuid =
        readVerifyAddress(entered, site.publicUrl) ??
        (await lookUpCode(readOldCode(entered), cancellation)) ??
        findUuid(entered);
      if (verifyUuid !== undefined) return sendRedirect(response, 303, `${verifyUuid}/${negotiated.query}`);
      logKeys = await proofs?.logKeys();
      if (entered.trim() !== "") throw invalid("id is not a verification UUID.");
      sendPage(response, 200, verifyForm({ ...site, logKeys }, negotiated), { sendsRequests: true });
    });
  } catch (error) {
    if (ConnectError.from(error).code !== Code.InvalidArgument) throw error;
    sendPage(response, 400, verifyForm({ ...site, logKeys }, negotiated, entered), { sendsRequests: true });
  }
}

async function answerSegment(
  { site, pipeline }: PageDeps,
  {
    lookUp,
    lookUpUncounted,
    lookUpCode,
    proofs,
  }: LookUps & { readonly proofs: CredentialProofs | undefined },
  segment: string,
  { negotiated, request, response, inbound }: Visit,
): Promise<void> {
  const enteredCode = decodePercent(segment) ?? segment;
  const checked = new Date();
  try {
    await pipeline.visit(route, inbound, async ({ cancellation }) => {
      const read = isOwnScript(request) ? lookUpUncounted : lookUp;
      const verification = await read(enteredCode, cancellation);
      if (!verification) {
        const found = await lookUpCode(enteredCode, cancellation);
        const verifyUuid = found ?? (isUuid(enteredCode) ? undefined : findUuid(enteredCode));
        // `lookUpCode` returns the entered UUID itself if the credential has become verifiable since `lookUp`. A
        // redirect would lead to the same URL.
        if (verifyUuid === undefined || verifyUuid === enteredCode) throw noSuchCredential();
        return sendRedirect(response, 302, `../${verifyUuid}/${negotiated.query}`);
      }
      const image = issuerImage(site, verification);
      const provenSince = await proofs?.provenSince(verification.verifyUuid);
      sendPage(response, 200, verificationPage(site, negotiated, { ...verification, provenSince }, checked), {
        image,
      });
    });
  } catch (error) {
    if (ConnectError.from(error).code !== Code.NotFound) throw error;
    sendPage(response, 404, notFoundPage(site, negotiated, enteredCode, checked));
  }
}

/** Returns whether a script of this service's own pages reads the page, as the console does for its preview. */
function isOwnScript({ headers }: IncomingMessage): boolean {
  return headers["sec-fetch-site"] === "same-origin" && headers["sec-fetch-dest"] === "empty";
}
