import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { LookUpVerification } from "../../credentials/look-up-verification.js";
import { decodePercent } from "../rest/percent.js";
import { answerVisit, type Visit } from "./answer-visit.js";
import { readVerifyUuid } from "./read-verify-uuid.js";
import { sendPage, sendRedirect } from "./send-page.js";
import type { Site } from "./site.js";
import { queryOf } from "./spoken-language.js";
import { verifyForm } from "./verify-form.js";
import { notFoundPage, verificationPage } from "./verify-page.js";

/** `GET /verify/<verify_uuid>/`, where printed QR codes lead, and `GET /verify/`, with a form for the UUID. */
export interface VerifyHandler {
  /** Takes the request when its path is one of these two; tells whether it did. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
}

const path = /^\/verify(?:\/([^/?]+))?(\/?)(?=\?|$)/;

/** Nothing is remembered: a page never shows an older status than the database has. */
export function createVerifyHandler(site: Site, lookUp: LookUpVerification, log: Logger): VerifyHandler {
  return {
    handle(request, response) {
      const url = request.url ?? "";
      const [place, segment, slash] = path.exec(url) ?? [];
      if (place === undefined) return false;
      answerVisit({ site, log, title: "verification" }, request, response, (visit) => {
        if (slash === "") return sendRedirect(response, 301, `${place}/${url.slice(place.length)}`);
        return segment === undefined ? answerForm(site, visit) : answerSegment(site, lookUp, segment, visit);
      });
      return true;
    },
  };
}

/** The form, or the way to what was entered in it; relative, because a proxy may serve us under a path of its own. */
function answerForm(site: Site, { spoken, request, response }: Visit): void {
  const entered = queryOf(request).get("id") ?? "";
  const verifyUuid = readVerifyUuid(entered, site.publicUrl());
  if (verifyUuid !== undefined) sendRedirect(response, 303, `${verifyUuid}/${spoken.query}`);
  else if (entered.trim() === "") sendPage(response, 200, verifyForm(site, spoken));
  else sendPage(response, 400, verifyForm(site, spoken, entered));
}

async function answerSegment(
  site: Site,
  lookUp: LookUpVerification,
  segment: string,
  { spoken, response, abort }: Visit,
): Promise<void> {
  const asked = decodePercent(segment) ?? segment;
  const checked = new Date();
  const verification = await lookUp(asked, abort);
  if (verification) sendPage(response, 200, verificationPage(site, spoken, verification, checked));
  else sendPage(response, 404, notFoundPage(site, spoken, asked, checked));
}
