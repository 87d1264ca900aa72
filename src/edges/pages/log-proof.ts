import type { CredentialProofs } from "#domain/credentials/checkpoints/prove-credential.js";
import type { HttpRoute } from "../http/routes.js";
import { sendAnswer } from "../http/send-answer.js";
import { type PageDeps, pageRoute } from "./page-route.js";

/** Path of the proof below a verification page. */
export const PROOF_NAME = "credential.tlog-proof";

/** `GET /verify/<verify_uuid>/credential.tlog-proof` returns the proof that the log contains the credential's file. */
export function logProofRoute({ site, pipeline }: PageDeps, proofs: CredentialProofs): HttpRoute {
  return pageRoute(site, {
    path: /^\/verify\/([^/]+)\/credential\.tlog-proof$/,
    title: "verification",
    async answer({ groups: [verifyUuid = ""], response, inbound, say, negotiated: { language } }) {
      const proof = await pipeline.visit({ name: "GET /verify/*/proof", kind: "unary" }, inbound, () =>
        proofs.prove(verifyUuid),
      );
      if (proof === undefined) return say(404, language.noLogProof);
      const headers = {
        "Content-Disposition": `attachment; filename="${verifyUuid.toLowerCase()}.tlog-proof"`,
        "Cache-Control": "no-store",
        "Access-Control-Allow-Origin": "*",
      };
      const contentType = "text/plain; charset=utf-8";
      sendAnswer(response, { contentType, headers: Object.entries(headers).flat(), body: proof });
    },
  });
}
