import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type * as domain from "#domain/assets/asset.js";
import { findAssets, listAssets } from "#domain/assets/asset-store.js";
import { scriptsOf } from "#domain/assets/scripts-of-font.js";
import type { AssetUse } from "#domain/configurations/asset-references.js";
import { etagOfAsset } from "#domain/configurations/etag.js";
import { type AssetDeps, readAsset, removeAsset, uploadAsset } from "#domain/configurations/manage-assets.js";
import { isWithin } from "#domain/learners/organisations.js";
import { createSemaphore } from "#foundation/concurrency/semaphore.js";
import { invalid, Problem, quoted, wrongField } from "#foundation/errors.js";
import { MAX_UPLOAD_MEGABYTES } from "#foundation/limits.js";
import { slugForm, slugPattern } from "#foundation/text/slug.js";
import { AssetKind, type AssetSchema } from "#gen/learning_credentials/v1/configuration_pb.js";
import type {
  AssetUseSchema,
  ConfigurationService,
  UploadAssetHeader,
  UploadAssetRequest,
} from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { inSnapshot } from "#infrastructure/db/database.js";
import { organisationsOf } from "#infrastructure/identity/caller.js";
import { callerName, type Handlers } from "../../pipeline/handlers.js";
import { readPage } from "../requests/page.js";
import { numbersByName } from "../requests/parse-enum.js";

const MAX_BYTES = MAX_UPLOAD_MEGABYTES * 1024 * 1024;
/**
 * Maximum number of concurrent uploads. Files are inspected one at a time, and each upload stays in memory until its
 * inspection.
 */
const MAX_UPLOADS = 8;
const MAX_USES = 100;

export function assetHandlers(deps: AssetDeps) {
  const uploads = createSemaphore(MAX_UPLOADS);
  return {
    async uploadAsset(requests, call) {
      if (!uploads.tryAcquire()) {
        throw new Problem(
          "overloaded",
          "There are too many uploads at the same time: retry in ten seconds.",
          {
            retryAfter: 10,
          },
        );
      }
      try {
        const upload = await collectUpload(requests);
        const { slug } = upload;
        const uploadedBy = callerName(call.caller);
        const [before] = await findAssets(deps.database.knex, [slug]);
        const asset = await uploadAsset(deps, { ...upload, uploadedBy }, call.signal);
        call.changed(`asset:${slug}`, before && auditedState(before), auditedState(asset));
        return presentAsset(asset);
      } finally {
        uploads.release();
      }
    },

    async listAssets(request, { signal }) {
      const { shown, nextPageToken } = await readPage(request, ["assets"], ({ afterId, limit }) =>
        inSnapshot(deps.database, signal, (transaction) => listAssets(transaction, afterId, limit)),
      );
      return { assets: shown.map(presentAsset), nextPageToken };
    },

    async getAsset({ slug }, { caller, signal }) {
      const { asset, bytes, uses } = await readAsset(deps, checkSlug(slug), signal);
      const organisations = organisationsOf(caller);
      const seen = uses.filter((use) =>
        use.by === "configuration"
          ? isWithin(organisations, use.learningContextKey)
          : use.by === "type" || !organisations || ["", ...organisations].includes(use.organisation),
      );
      return {
        asset: presentAsset(asset),
        content: bytes,
        uses: seen.slice(0, MAX_USES).map(presentUse),
        scripts: asset.characters ? scriptsOf(asset.characters) : [],
      };
    },

    async deleteAsset({ slug, etag }, call) {
      const removed = await removeAsset(deps, { slug: checkSlug(slug), etag }, call.signal);
      call.changed(`asset:${slug}`, auditedState(removed), undefined);
      return {};
    },
  } satisfies Partial<Handlers<typeof ConfigurationService>>;
}

/** Returns the properties that identify the content of an asset. */
function auditedState({ kind, size, sha256 }: domain.Asset): object {
  return { kind, size, sha256 };
}

export function checkSlug(slug: string, field = "slug"): string {
  if (slugPattern.test(slug)) return slug;
  throw wrongField(field, `is ${quoted(slug)}; it must be ${slugForm}.`);
}

/** Reads an upload. The header contains the size, because a truncated stream may look complete. */
async function collectUpload(
  requests: AsyncIterable<UploadAssetRequest>,
): Promise<{ slug: string; etag: string; createOnly: boolean; bytes: Buffer }> {
  let header: UploadAssetHeader | undefined;
  const chunks: Uint8Array[] = [];
  let received = 0;
  for await (const { part } of requests) {
    if (part.case === "header") {
      if (header !== undefined) throw invalid("Only the first message can contain a header.");
      header = part.value;
      checkSlug(header.slug);
      if (header.size < 1 || header.size > MAX_BYTES) {
        throw wrongField("header.size", `is ${header.size}; it must be 1 to ${MAX_BYTES} bytes.`);
      }
    } else if (part.case === "chunk") {
      if (header === undefined)
        throw invalid("The first message must contain the header; the content follows.");
      received += part.value.length;
      if (received > header.size)
        throw invalid(`The content is longer than the ${header.size} bytes announced.`);
      chunks.push(part.value);
    } else {
      throw invalid("A message contains neither a header nor a chunk.");
    }
  }
  if (header === undefined) throw invalid("Nothing was sent: send the header, then the content.");
  if (received < header.size) {
    throw invalid(
      `The content ends after ${received} of the ${header.size} bytes announced: upload it again.`,
    );
  }
  const { slug, etag, createOnly } = header;
  return { slug, etag, createOnly, bytes: Buffer.concat(chunks) };
}

function presentUse(use: AssetUse): MessageInitShape<typeof AssetUseSchema> {
  const { option } = use.reference;
  if (use.by === "brand") return { user: { case: "organisation", value: use.organisation }, option };
  const { by, id, credentialType } = use;
  return by === "type"
    ? { user: { case: "credentialTypeId", value: id }, credentialType, option }
    : {
        user: { case: "configurationId", value: id },
        credentialType,
        learningContextKey: use.learningContextKey,
        option,
      };
}

const presentedKind = numbersByName(AssetKind);

function presentAsset(asset: domain.Asset): MessageInitShape<typeof AssetSchema> {
  return {
    slug: asset.slug,
    kind: presentedKind[asset.kind],
    sha256: asset.sha256,
    size: asset.size,
    uploadTime: timestampFromDate(asset.uploadedAt),
    etag: etagOfAsset(asset),
  };
}
