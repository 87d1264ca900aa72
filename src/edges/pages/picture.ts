import type { CredentialPictures } from "#domain/credentials/pictures/credential-pictures.js";
import type { LookUpVerification } from "#domain/credentials/verification/look-up-verification.js";
import { organisationOf } from "#domain/learners/organisations.js";
import { plainLine } from "#foundation/text/plain-line.js";
import type { HttpRoute } from "../http/routes.js";
import { sendAnswer } from "../http/send-answer.js";
import { sendJson } from "../http/send-json.js";
import { queryOf } from "./negotiate-language.js";
import { type PageDeps, pageRoute } from "./page-route.js";
import { readVerifyAddress } from "./read-verify-uuid.js";
import { sharedLook } from "./shared-look.js";

const HEADERS = Object.entries({
  "Cache-Control": "no-cache",
  "X-Robots-Tag": "noindex",
  "Cross-Origin-Resource-Policy": "cross-origin",
}).flat();

/**
 * `GET /verify/<verify_uuid>/picture.png` returns a picture of a valid credential's document, without anything private.
 * `card.png` shows the same picture on a card with a ratio of 1.91 : 1. Caches must revalidate the pictures for each
 * request.
 */
export function pictureRoute({ site, pipeline }: PageDeps, pictures: CredentialPictures): HttpRoute {
  return pageRoute(site, {
    path: /^\/verify\/([^/]+)\/(picture|card)\.png$/,
    title: "verification",
    async answer({ groups: [verifyUuid = "", name], response, inbound, say, negotiated: { language } }) {
      const picture = await pipeline.visit(
        { name: "GET /verify/*/picture", kind: "unary" },
        inbound,
        (call) => pictures.of(verifyUuid, call, name === "card" ? "card" : "page"),
      );
      if (!picture) return say(404, language.notFound);
      const { png: body, etag } = picture;
      sendAnswer(response, { contentType: "image/png", headers: HEADERS, body, isConditional: etag });
    },
  });
}

/** `GET /oembed?url=<verification page>` describes the preview of a shared link (https://oembed.com), without names. */
export function oembedRoute(
  { site, pipeline }: PageDeps,
  lookUp: LookUpVerification,
  pictures: CredentialPictures,
): HttpRoute {
  return pageRoute(site, {
    path: /^\/oembed$/,
    title: "verification",
    isProgram: () => true,
    async answer({ request, response, inbound, say }) {
      const query = queryOf(request);
      if ((query.get("format") ?? "json") !== "json") return say(501, "Only format=json is supported.");
      const verifyUuid = readVerifyAddress(query.get("url") ?? "", site.publicUrl);
      const { found, made } = await pipeline.visit(
        { name: "GET /oembed", kind: "unary" },
        inbound,
        async (call) => {
          const found = verifyUuid === undefined ? undefined : await lookUp(verifyUuid, call.cancellation);
          return { found, made: found && (await pictures.of(found.verifyUuid, call, "card")) };
        },
      );
      if (!found) return say(404, "url is not a verification page of this service.");
      const { card: picture } = sharedLook(site, found);
      const brand = site.brands.of(organisationOf(found.learningContextKey));
      const card = {
        version: "1.0",
        type: "link",
        title: `${plainLine(found.credentialType)}: ${plainLine(found.learningContextName)}`,
        provider_name: plainLine(brand.name || site.platformName),
        provider_url: site.publicUrl,
        cache_age: 0,
        ...(made && { thumbnail_url: picture, thumbnail_width: made.width, thumbnail_height: made.height }),
      };
      sendJson(response, 200, card, ["Access-Control-Allow-Origin", "*"]);
    },
  });
}
