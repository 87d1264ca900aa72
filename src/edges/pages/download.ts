import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { FollowDownloadLink } from "../../credentials/follow-download-link.js";
import { isOutage } from "../../db/outage.js";
import { Problem } from "../../errors.js";

/** `GET /download/<token>/`, where the links in mails lead: on to the file. */
export interface DownloadHandler {
  /** Takes the request when its path lies under `/download/`; tells whether it did. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
}

/** Mail programs may drop the slash at the end; what they append is not looked at. */
const path = /^\/download\/([^/?]*)\/?(?:\?|$)/;
const PREFIX = "/download/";

/** The path is all that it takes to get the file: it must not be kept, passed on, or found by others. */
const PRIVATE_HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
};

/** Nothing here logs a path: who reads the log could follow it. */
export function createDownloadHandler(follow: FollowDownloadLink, log: Logger): DownloadHandler {
  return {
    handle(request, response) {
      const url = request.url ?? "";
      if (!url.startsWith(PREFIX)) return false;
      answer(follow, url, request, response).catch((error) => fail(response, error, log));
      return true;
    },
  };
}

async function answer(
  follow: FollowDownloadLink,
  url: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.setHeader("allow", "GET, HEAD");
    return sendPage(response, 405, "Only GET and HEAD are allowed here.");
  }
  const token = path.exec(url)?.[1];
  const destination = token === undefined ? "unknown" : await follow(token);
  if (destination === "unknown") {
    return sendPage(response, 404, "This link leads nowhere. Check that it is the whole link of your mail.");
  }
  if (destination === "invalidated") {
    return sendPage(response, 410, "This credential was invalidated: it can no longer be downloaded.");
  }
  response.writeHead(302, { ...PRIVATE_HEADERS, location: destination.url, "content-length": 0 }).end();
}

function fail(response: ServerResponse, error: unknown, log: Logger): void {
  log.error({ err: error }, "following a download link failed");
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const isPassing = isOutage(error) || (error instanceof Problem && error.kind === "unavailable");
  if (isPassing) sendPage(response, 503, "The file can't be had at the moment. Try again later.");
  else sendPage(response, 500, "Something went wrong here. Try again later.");
}

/** @param sentence plain text of ours */
function sendPage(response: ServerResponse, status: number, sentence: string): void {
  const body = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Download</title>
</head>
<body>
<p>${sentence}</p>
</body>
</html>
`;
  response.writeHead(status, {
    ...PRIVATE_HEADERS,
    "content-type": "text/html; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
    "x-content-type-options": "nosniff",
  });
  response.end(body);
}
