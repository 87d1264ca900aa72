import type { NewCredentialType } from "#domain/configurations/credential-type.js";
import type { Functions } from "#domain/configurations/functions.js";
import { changeType, createType, getType, removeType } from "#domain/configurations/manage-types.js";
import { listTypes } from "#domain/configurations/type-store.js";
import type { Processor } from "#domain/eligibility/processor.js";
import { MAX_NAME } from "#foundation/limits.js";
import { checkShownText } from "#foundation/text/check-text.js";
import type { CredentialType as TypeMessage } from "#gen/learning_credentials/v1/configuration_pb.js";
import type { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { type Database, inSnapshot } from "#infrastructure/db/database.js";
import { actorOf } from "#infrastructure/identity/actors.js";
import type { Handlers } from "../../pipeline/handlers.js";
import { presentType } from "../presentation/present.js";
import { checkId, checkNew, checkPresent } from "../requests/check-request.js";
import { editorOf } from "../requests/editor-of.js";
import { type FieldReaders, masked, readFields } from "../requests/field-mask.js";
import { readPage } from "../requests/page.js";

export const typeFields: FieldReaders<TypeMessage, NewCredentialType, "id" | "etag"> = {
  name: ({ name }) => checkShownText("credential_type.name", name, { min: 1, max: MAX_NAME }),
  retrievalFunc: ({ retrievalFunc }) => retrievalFunc,
  generationFunc: ({ generationFunc }) => generationFunc,
  customOptions: ({ customOptions }) => customOptions ?? {},
};

export function typeHandlers(database: Database, functions: Functions<Processor>) {
  return {
    async createCredentialType({ credentialType }, call) {
      const message = checkPresent("credential_type", credentialType);
      checkNew("credential_type.id", message.id);
      const type = readFields(typeFields, message);
      const created = await createType(database, functions, type, actorOf(call.caller), call.signal);
      call.changed(`type:${created.id}`, undefined, created);
      return presentType(created);
    },

    async getCredentialType({ id }, { signal }) {
      checkId("id", id);
      return presentType(await inSnapshot(database, signal, (transaction) => getType(transaction, id)));
    },

    async listCredentialTypes(request, { signal }) {
      const { shown, nextPageToken } = await readPage(request, ["credential types"], ({ afterId, limit }) =>
        inSnapshot(database, signal, (transaction) => listTypes(transaction, afterId, limit)),
      );
      return { credentialTypes: shown.map(presentType), nextPageToken };
    },

    async updateCredentialType({ credentialType, updateMask }, call) {
      const message = checkPresent("credential_type", credentialType);
      const id = checkId("credential_type.id", message.id);
      const changes = { ...masked(updateMask, typeFields, message), etag: message.etag };
      const editor = editorOf(call.caller);
      const { before, after } = await changeType(database, functions, id, changes, editor, call.signal);
      call.changed(`type:${id}`, before, after);
      return presentType(after);
    },

    async deleteCredentialType({ id, etag }, call) {
      const removed = await removeType(database, { id: checkId("id", id), etag }, call.signal);
      call.changed(`type:${id}`, removed, undefined);
      return {};
    },
  } satisfies Partial<Handlers<typeof ConfigurationService>>;
}
