import type { PublicRoute } from "#api/pipeline/pipeline.js";
import type { LookUpCode } from "#domain/credentials/aliases/look-up-alias.js";
import { oldPaths, readOldAddress } from "#domain/credentials/aliases/old-addresses.js";
import { verifyUrl } from "#domain/credentials/verify-url.js";
import type { HttpRoute } from "../http/routes.js";
import { queryOf } from "./negotiate-language.js";
import { type PageDeps, pageRoute } from "./page-route.js";
import { sendPage, sendRedirect } from "./send-page.js";
import { notFoundPage } from "./verify-page.js";

const route: PublicRoute = { name: "GET old verification address", kind: "unary" };

/**
 * The verification URLs of other systems, for hosts that now point to this service. A known code redirects to the
 * credential's page here. For an unknown code, a page says so.
 */
export function oldLinkRoutes({ site, pipeline }: PageDeps, lookUpCode: LookUpCode): HttpRoute[] {
  return oldPaths.map((path) =>
    pageRoute(site, {
      path,
      title: "verification",
      answer: ({ path: requested, request, response, inbound, negotiated }) =>
        pipeline.visit(route, inbound, async ({ cancellation }) => {
          const code = readOldAddress(requested, queryOf(request)) ?? "";
          const verifyUuid = await lookUpCode(code, cancellation);
          if (verifyUuid !== undefined)
            sendRedirect(response, 302, `${verifyUrl(site.publicUrl, verifyUuid)}${negotiated.query}`);
          else sendPage(response, 404, notFoundPage(site, negotiated, code, new Date()));
        }),
    }),
  );
}
