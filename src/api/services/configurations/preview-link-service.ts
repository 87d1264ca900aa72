import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { PreviewDeps } from "#domain/credentials/generation/preview-credential.js";
import {
  deletePreviewLink,
  listPreviewLinks,
  type PreviewLink,
} from "#domain/credentials/previews/preview-link-store.js";
import { createPreviewLinks, noSuchPreviewLink } from "#domain/credentials/previews/preview-links.js";
import { findFullNames } from "#domain/learners/full-names.js";
import { wrongField } from "#foundation/errors.js";
import { PREVIEW_DAYS } from "#foundation/limits.js";
import type { PreviewLinkService } from "#gen/learning_credentials/v1/preview_link_service_pb.js";
import { inSnapshot, inTransaction } from "#infrastructure/db/database.js";
import { organisationsOf } from "#infrastructure/identity/caller.js";
import { callerName, type Handlers } from "../../pipeline/handlers.js";
import { checkId } from "../requests/check-request.js";
import { parseDesignSource } from "./preview-handlers.js";

export function previewLinkService(preview: PreviewDeps): Handlers<typeof PreviewLinkService> {
  const { database, publicUrl } = preview;
  const links = createPreviewLinks(preview);

  function present(link: PreviewLink, names: ReadonlyMap<string, string>) {
    return {
      id: link.id,
      url: `${publicUrl}/preview/${link.token}/`,
      credentialType: link.title,
      learningContextName: link.contextName ?? "",
      credentialTypeId: link.credentialTypeId ?? 0,
      configurationId: link.configurationId ?? 0,
      createdBy: link.createdBy,
      createdByFullName: names.get(link.createdBy) ?? "",
      createTime: timestampFromDate(link.createdAt),
      expireTime: timestampFromDate(link.expiresAt),
    };
  }

  return {
    async createPreviewLink(request, call) {
      const { source, customOptions = {}, validDays } = request;
      const design = {
        source: parseDesignSource(source),
        credentialTypeId: source.case === "credentialType" ? source.value.id : 0,
        customOptions,
        validDays: checkDays(validDays),
        createdBy: callerName(call.caller),
      };
      const link = await links.share(design, call.signal);
      call.changed(`preview link:${link.id}`, undefined, audited(link));
      return present(link, await findFullNames(database.knex, [link.createdBy]));
    },

    async listPreviewLinks({ credentialTypeId }, { caller, signal }) {
      if (credentialTypeId !== 0) checkId("credential_type_id", credentialTypeId);
      const [listed, names] = await inSnapshot(database, signal, async (transaction) => {
        const found = await listPreviewLinks(transaction, credentialTypeId, organisationsOf(caller) ?? null);
        return [
          found,
          await findFullNames(
            transaction,
            found.map(({ createdBy }) => createdBy),
          ),
        ];
      });
      return { previewLinks: listed.map((link) => present(link, names)) };
    },

    async revokePreviewLink(request, call) {
      const id = checkId("id", request.id);
      const revoked = await inTransaction(database, call.signal, (transaction) =>
        deletePreviewLink(transaction, id, organisationsOf(call.caller) ?? null),
      );
      if (!revoked) throw noSuchPreviewLink(id);
      call.changed(`preview link:${id}`, audited(revoked), undefined);
      return {};
    },
  };
}

/** Omits the token, which is secret. */
function audited({ title, contextName, credentialTypeId, configurationId, expiresAt }: PreviewLink): object {
  return { title, contextName, credentialTypeId, configurationId, expiresAt: expiresAt.toISOString() };
}

function checkDays(days: number): number {
  if (days >= 0 && days <= PREVIEW_DAYS.max) return days || PREVIEW_DAYS.default;
  throw wrongField(
    "valid_days",
    `is ${days}; it must be 1 to ${PREVIEW_DAYS.max}, or 0 for the default, ${PREVIEW_DAYS.default}.`,
  );
}
