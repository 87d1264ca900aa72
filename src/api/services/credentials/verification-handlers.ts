import { type DidOf, signsNothing } from "#domain/credentials/badges/issuer.js";
import type { PublishedKeys } from "#domain/credentials/badges/issuer-key-store.js";
import { noSuchCredential } from "#domain/credentials/get-credential.js";
import type { IssuingSettings } from "#domain/credentials/print-settings.js";
import type { LookUpMetadata } from "#domain/credentials/verification/look-up-verification.js";
import type { VerifiedFile, VerifyCredential } from "#domain/credentials/verification/verify-credential.js";
import { invalid, wrongField } from "#foundation/errors.js";
import type {
  CredentialService,
  VerifyCredentialRequest,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import type { Call, Handlers } from "../../pipeline/handlers.js";
import { presentMetadata, presentVerified } from "../presentation/present.js";
import { presentIssuers } from "../presentation/present-issuers.js";

/** The public methods. */
export function verificationHandlers(deps: {
  lookUpMetadata: LookUpMetadata;
  verifyCredential: VerifyCredential;
  publishedKeys: PublishedKeys;
  didOf: DidOf;
  settings: IssuingSettings;
}) {
  return {
    async getCredentialMetadata({ verifyUuid }, { cancellation }) {
      const metadata = await deps.lookUpMetadata(verifyUuid, cancellation);
      if (!metadata) throw noSuchCredential();
      return presentMetadata(metadata);
    },

    async getIssuer(_, { cancellation }) {
      const did = deps.didOf(undefined);
      if (did === undefined) throw signsNothing();
      const keys = await deps.publishedKeys(null, cancellation);
      return presentIssuers(did, keys, deps);
    },

    async verifyCredential({ subject }, call) {
      return presentVerified(await verifySubject(deps.verifyCredential, subject, call));
    },
  } satisfies Partial<Handlers<typeof CredentialService>>;
}

/** A file counts as ten requests, because checking it takes up to 60 ms of processor time (measured). */
const FURTHER_REQUESTS_OF_FILE = 9;

function verifySubject(
  verify: VerifyCredential,
  subject: VerifyCredentialRequest["subject"],
  call: Call,
): Promise<VerifiedFile> {
  const { cancellation, client } = call;
  switch (subject.case) {
    case "file":
      if (subject.value.length === 0)
        throw wrongField("file", "is empty: send the bytes of a PDF, PNG, SVG, JSON or JWT.");
      call.charge(FURTHER_REQUESTS_OF_FILE);
      return verify.file(subject.value, client, cancellation);
    case "fileSha256":
      if (!/^[\da-f]{64}$/i.test(subject.value))
        throw wrongField("file_sha256", "must be 64 hexadecimal digits.");
      return verify.digest(subject.value.toLowerCase(), cancellation);
    default:
      throw invalid("Neither file nor file_sha256 is given: send one of them.");
  }
}
