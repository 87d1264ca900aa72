import {
  createImportJudge,
  type ImportDeps,
  importCredential,
} from "#domain/credentials/imports/import-credential.js";
import { importRows } from "#domain/credentials/imports/import-rows.js";
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
      const judge = createImportJudge(deps);
      const rejected: { index: number; reason: string }[] = [];
      let received = 0;
      let skipInvalid = false;
      let isDryRun = false;
      async function* rows() {
        for await (const request of requests) {
          skipInvalid ||= request.skipInvalid;
          isDryRun ||= request.dryRun;
          for (const message of request.credentials)
            yield { index: received++, read: () => parseImportedCredential(message) };
        }
      }
      const tally = await importRows(
        rows(),
        (external) =>
          isDryRun ? judge(external, call.signal) : importCredential(deps, external, importedBy, call.signal),
        ({ index }, problem) => {
          const { message: reason, kind, field } = problem;
          if (!skipInvalid)
            throw new Problem(kind, `Credential ${index} (counted from 0): ${reason}`, {
              cause: problem,
              field: field && `credentials[${index}].${field}`,
            });
          if (rejected.length < MAX_REPORTED_REJECTIONS) rejected.push({ index, reason });
        },
      );
      const { imported, unchanged, rejected: rejectedCount } = tally;
      return { received, imported, unchanged, rejectedCount, rejected };
    },
  } satisfies Partial<Handlers<typeof CredentialService>>;
}
