import {
  type ImportDeps,
  importCredential,
  judgeImport,
} from "#domain/credentials/imports/import-credential.js";
import { Problem } from "#foundation/errors.js";
import type { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { actorOf } from "#infrastructure/identity/actors.js";
import type { Handlers } from "../../pipeline/handlers.js";
import { parseImportedCredential } from "../requests/parse-imported-credential.js";

const MAX_REPORTED_REJECTIONS = 1000;

export function importCredentialsHandlers(deps: ImportDeps) {
  return {
    async importCredentials(requests, call) {
      const importedBy = actorOf(call.caller);
      const rejected: { index: number; reason: string }[] = [];
      const tally = { received: 0, imported: 0, unchanged: 0, rejectedCount: 0 };
      let skipInvalid = false;
      let isDryRun = false;
      for await (const request of requests) {
        skipInvalid ||= request.skipInvalid;
        isDryRun ||= request.dryRun;
        for (const message of request.credentials) {
          const index = tally.received++;
          try {
            const external = parseImportedCredential(message);
            const outcome = isDryRun
              ? await judgeImport(deps, external, call.signal)
              : await importCredential(deps, external, importedBy, call.signal);
            tally[outcome]++;
          } catch (error) {
            if (!isRejection(error)) throw error;
            const reason = error.message;
            if (!skipInvalid)
              throw new Problem(error.kind, `Credential ${index} (counted from 0): ${reason}`, {
                cause: error,
                field: error.field && `credentials[${index}].${error.field}`,
              });
            tally.rejectedCount++;
            if (rejected.length < MAX_REPORTED_REJECTIONS) rejected.push({ index, reason });
          }
        }
      }
      return { ...tally, rejected };
    },
  } satisfies Partial<Handlers<typeof CredentialService>>;
}

/** Returns whether the error concerns only this credential. The import then continues with the next one. */
export function isRejection(error: unknown): error is Problem {
  return error instanceof Problem && (error.kind === "invalid" || error.kind === "failed-precondition");
}
