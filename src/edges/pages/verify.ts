import type { IncomingMessage, ServerResponse } from "node:http";

const path = /^\/verify\/([^/?]+)\/?(?:\?.*)?$/;

/**
 * `GET /verify/<verify_uuid>/`, where printed QR codes lead. It shows what the metadata route says.
 * @returns whether the request was for it
 */
export function handleVerify(request: IncomingMessage, response: ServerResponse): boolean {
  const verifyUuid = path.exec(request.url ?? "")?.[1];
  if (verifyUuid === undefined || (request.method !== "GET" && request.method !== "HEAD")) return false;
  // The segment is kept as it came, percent-encoding included: it stays one segment.
  response.writeHead(303, {
    Location: `/api/learning_credentials/v1/metadata/${verifyUuid}/`,
    "Content-Length": 0,
  });
  response.end();
  return true;
}
