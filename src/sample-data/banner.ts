import type { Credential } from "../credentials/credential.js";
import { cast, platformService, staffUser } from "./cast.js";

/** What `npm start` says: what is where, and calls to paste. */
export function banner(facts: {
  publicUrl: string;
  grpcAddress: string;
  dataDir: string;
  credential: Credential;
  tokens: { learner: string; staff: string; service: string };
}): string {
  const { publicUrl, grpcAddress, dataDir, credential, tokens } = facts;
  const api = `${publicUrl}/api/learning_credentials/v1`;
  const { graduate, nearMiss } = cast;
  return `
Learning Credentials is running, with the records of a sample academy.

  HTTP   ${publicUrl}   REST, Connect, gRPC-Web
  gRPC   ${grpcAddress}   with health and reflection
  data   ${dataDir}   database, files, secrets; delete it to begin anew

Is this certificate genuine? ${credential.userFullName} (${graduate.username}) ${graduate.story}.

  curl ${api}/metadata/${credential.verifyUuid}/

Tokens, valid for a day; \`node dist/src/main.js token --help\` makes others:

  LEARNER=${tokens.learner}
  STAFF=${tokens.staff}
  SERVICE=${tokens.service}

${graduate.username} asks what can be earned in the course, staff (${staffUser.username}) how far ${nearMiss.username} is, who ${nearMiss.story}:

  curl -H "Authorization: Bearer $LEARNER" ${api}/configured/${graduate.learningContextKey}/
  curl -H "Authorization: Bearer $STAFF" "${api}/eligibility/${nearMiss.learningContextKey}/?username=${nearMiss.username}"

The platform (${platformService.username}) lists the certificates of ${graduate.username} over gRPC, and gets a link to the PDF of the first over Connect:

  npx buf curl --protocol grpc --http2-prior-knowledge -H "authorization: Bearer $SERVICE" \\
    -d '{"username": "${graduate.username}"}' http://${grpcAddress}/learning_credentials.v1.CredentialService/ListCredentials
  curl -H "Authorization: Bearer $SERVICE" -H "Content-Type: application/json" \\
    -d '{"uuid": "${credential.uuid}"}' ${publicUrl}/learning_credentials.v1.CredentialService/GetDownloadUrl

Ctrl-C stops it.
`;
}
