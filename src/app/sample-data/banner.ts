import type { Credential } from "#domain/credentials/credential.js";
import { verifyUrl } from "#domain/credentials/verify-url.js";
import { type CastMember, cast, platformService, staffUser } from "./cast.js";

/** What `serve` prints about a running service. */
interface RunningFacts {
  /** Without a trailing slash. */
  readonly publicUrl: string;
  readonly grpcAddress: string;
  /** undefined if this service doesn't serve the API's documentation. */
  readonly docsUrl: string | undefined;
  /** Signs in the first person who opens it; undefined if startup creates no such link. */
  readonly signInLink: string | undefined;
  readonly dataDir: string;
  /** The kinds of data stored in `dataDir`. */
  readonly storage: readonly ("database" | "files" | "emails" | "secrets")[];
  /** The bucket in which files are stored instead of `dataDir`. */
  readonly bucket: string | undefined;
  readonly sample: SampleFacts | undefined;
}

/** Values for the sample calls. */
export interface SampleFacts {
  /** The graduate's credential, which may still be generating. */
  readonly credential: Credential | undefined;
  /** The misprinted credential; undefined until it is invalidated. */
  readonly invalidated: Credential | undefined;
  /** undefined if this service can't create tokens. */
  readonly tokens: Tokens | undefined;
}

interface Tokens {
  readonly learner: string;
  readonly staff: string;
  readonly service: string;
}

/**
 * Returns the text that `serve` prints once the service is running: its addresses and, with sample data, calls to copy.
 */
export function banner(facts: RunningFacts): string {
  const { publicUrl, grpcAddress, docsUrl, signInLink, dataDir, storage, bucket, sample } = facts;
  const restart =
    storage.includes("database") && bucket === undefined ? "; delete it to start again from empty" : "";
  const parts = [
    `Learning Credentials is running${sample ? ", with a sample academy" : ""}.`,
    [
      ...(signInLink === undefined
        ? []
        : [`  console   ${signInLink}   sign-in link: works once, within a day`]),
      `  HTTP      ${publicUrl}   REST, Connect, gRPC-Web`,
      `  gRPC      ${grpcAddress}   with health${docsUrl === undefined ? "" : " and reflection"}`,
      ...(docsUrl === undefined
        ? []
        : [`  docs      ${docsUrl}   API reference; openapi.json is in the same folder`]),
      ...(storage.length === 0 ? [] : [`  data      ${dataDir}   ${storage.join(", ")}${restart}`]),
      ...(bucket === undefined ? [] : [`  files     ${bucket}`]),
    ].join("\n"),
    ...(sample ? sampleCalls(publicUrl, grpcAddress, sample) : []),
    "Press Ctrl-C to stop.",
  ];
  return `\n${parts.join("\n\n")}\n`;
}

function sampleCalls(
  publicUrl: string,
  grpcAddress: string,
  { credential, invalidated, tokens }: SampleFacts,
): string[] {
  return [
    ...(credential ? verification(publicUrl, credential, cast.graduate) : []),
    ...(invalidated ? verification(publicUrl, invalidated, cast.misprinted) : []),
    ...(tokens
      ? callsWith(tokens, publicUrl, grpcAddress)
      : ["To call the API, get tokens from the issuer that the AUTH_JWKS settings name."]),
    ...(credential && tokens ? download(publicUrl, credential) : []),
  ];
}

const NOT_READY = " The PDF isn't ready yet: until then, the response is 404.";

function verification(
  publicUrl: string,
  { userFullName, verifyUuid, status }: Credential,
  { username, story }: CastMember,
): string[] {
  return [
    `Is this certificate genuine? ${userFullName} (${username}) ${story}.${status === "generating" ? NOT_READY : ""}`,
    `  curl ${api(publicUrl)}/metadata/${verifyUuid}/\n\n  In a browser: ${verifyUrl(publicUrl, verifyUuid)}`,
  ];
}

function callsWith({ learner, staff, service }: Tokens, publicUrl: string, grpcAddress: string): string[] {
  const { graduate, nearMiss } = cast;
  return [
    "These tokens are valid for a day. To create others, see `node dist/src/main.js token --help`.",
    `  LEARNER=${learner}\n  STAFF=${staff}\n  SERVICE=${service}`,
    `As the learner ${graduate.username}: which credentials does the course offer? As staff (${staffUser.username}): how far is ${nearMiss.username}, who ${nearMiss.story}?`,
    `  curl -H "Authorization: Bearer $LEARNER" ${api(publicUrl)}/configured/${graduate.learningContextKey}/
  curl -H "Authorization: Bearer $STAFF" "${api(publicUrl)}/eligibility/${nearMiss.learningContextKey}/?username=${nearMiss.username}"`,
    `As the learning platform (${platformService.username}), over gRPC: list the credentials of ${graduate.username}.`,
    `  npx buf curl --protocol grpc --http2-prior-knowledge -H "authorization: Bearer $SERVICE" \\
    -d '{"username": "${graduate.username}"}' http://${grpcAddress}/learning_credentials.v1.CredentialService/ListCredentials`,
  ];
}

function download(publicUrl: string, { uuid }: Credential): string[] {
  return [
    "As the learning platform, over Connect: get a link to the PDF.",
    `  curl -H "Authorization: Bearer $SERVICE" -H "Content-Type: application/json" \\
    -d '{"uuid": "${uuid}"}' ${publicUrl}/learning_credentials.v1.CredentialService/GetDownloadUrl`,
    "As its holder: get it as an Open Badge for a wallet. To check the saved file, run `node dist/src/main.js verify <file>`.",
    `  curl -H "Authorization: Bearer $LEARNER" ${publicUrl}/download/credential/${uuid}/badge.json`,
  ];
}

function api(publicUrl: string): string {
  return `${publicUrl}/api/learning_credentials/v1`;
}
