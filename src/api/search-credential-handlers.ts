import {
  type CredentialSearchFilter,
  CredentialStanding,
} from "../../gen/learning_credentials/v1/credential_search_pb.js";
import type { CredentialService } from "../../gen/learning_credentials/v1/credential_service_pb.js";
import { findMailStates } from "../credentials/mails/mail-states.js";
import type {
  CredentialSearch,
  SearchFilter,
  CredentialStanding as Standing,
} from "../credentials/search/credential-search.js";
import { readSearchQuery } from "../credentials/search/search-query.js";
import { countCredentials, searchCredentials } from "../credentials/search/search-store.js";
import { isUuid } from "../credentials/uuid.js";
import type { Database } from "../db/database.js";
import { inSearch } from "../db/transaction.js";
import { invalid } from "../errors.js";
import { organisationsOf } from "../identity/caller.js";
import { parseLearningContextKey } from "../learners/learning-context-key.js";
import type { Organisations } from "../learners/organisations.js";
import type { Call, Handlers } from "../pipeline/handlers.js";
import { checkText } from "../text/check-text.js";
import { quoted } from "../text/quoted.js";
import { checkId } from "./check-request.js";
import { nameOf } from "./name-of.js";
import { pageOf, parsePage } from "./page.js";
import { presentCredentialToStaff } from "./present.js";
import { parseMoment } from "./timestamps.js";

/** Longest text that is searched for; a pasted address has room. */
export const MAX_QUERY = 500;

/** The methods of `CredentialService` that find and count credentials. */
export function searchHandlers({
  database,
}: {
  database: Database;
}): Pick<Handlers<typeof CredentialService>, "searchCredentials" | "countCredentials"> {
  return {
    async searchCredentials(request, call) {
      const search = parseSearch(request, call);
      const identity = ["search", search];
      const page = parsePage(request, identity);
      const beforeId = page.afterId || Number.MAX_SAFE_INTEGER;
      const { rows, mails } = await inSearch(database, call.signal, async (transaction) => {
        const rows = await searchCredentials(transaction, search, beforeId, page.limit);
        const uuids = rows.map(({ uuid }) => uuid);
        return { rows, mails: await findMailStates(transaction, uuids) };
      });
      const { shown, nextPageToken } = pageOf(rows, page, identity, ({ id }) => id);
      const credentials = shown.map((credential) =>
        presentCredentialToStaff(credential, mails.get(credential.uuid)),
      );
      return { credentials, nextPageToken };
    },

    async countCredentials(request, call) {
      const search = parseSearch(request, call);
      const counts = await inSearch(database, call.signal, (transaction) =>
        countCredentials(transaction, search),
      );
      return {
        counts: counts.map(({ standing, ...counted }) => ({
          standing: presentedStanding[standing],
          ...counted,
        })),
      };
    },
  };
}

const presentedStanding: Record<Standing, CredentialStanding> = {
  generating: CredentialStanding.GENERATING,
  valid: CredentialStanding.VALID,
  expired: CredentialStanding.EXPIRED,
  error: CredentialStanding.ERROR,
  invalidated: CredentialStanding.INVALIDATED,
};

function parseSearch(
  { query, filter }: { query: string; filter?: CredentialSearchFilter | undefined },
  { caller }: Call,
): CredentialSearch {
  checkText("query", query, { min: 0, max: MAX_QUERY });
  return { query: readSearchQuery(query), filter: parseFilter(filter, organisationsOf(caller)) };
}

function parseFilter(filter: CredentialSearchFilter | undefined, organisations: Organisations): SearchFilter {
  const { username = "", learningContextKey = "", configurationId = 0, credentialTypeId = 0 } = filter ?? {};
  const { issuanceRunId = "", standings = [], issuedBy = "" } = filter ?? {};
  checkText("filter.username", username, { min: 0, max: 255 });
  checkText("filter.issued_by", issuedBy, { min: 0, max: 255 });
  if (learningContextKey !== "") parseLearningContextKey(learningContextKey, "filter.learning_context_key");
  if (configurationId !== 0) checkId("filter.configuration_id", configurationId);
  if (credentialTypeId !== 0) checkId("filter.credential_type_id", credentialTypeId);
  if (issuanceRunId !== "" && !isUuid(issuanceRunId)) {
    throw invalid(`filter.issuance_run_id is ${quoted(issuanceRunId)}; it must be the id of a run, a UUID.`);
  }
  const created = parseRange("created", filter?.createdFrom, filter?.createdBefore);
  const validUntil = parseRange("valid_until", filter?.validUntilFrom, filter?.validUntilBefore);
  return {
    username,
    learningContextKey,
    configurationId,
    credentialTypeId,
    runId: issuanceRunId === "" ? null : issuanceRunId,
    standings: [...new Set(standings)].map(parseStanding),
    createdFrom: created.from,
    createdBefore: created.before,
    validUntilFrom: validUntil.from,
    validUntilBefore: validUntil.before,
    issuedBy,
    organisations,
  };
}

function parseRange(
  name: "created" | "valid_until",
  from: Parameters<typeof parseMoment>[1],
  before: Parameters<typeof parseMoment>[1],
): { from: Date | null; before: Date | null } {
  const range = {
    from: parseMoment(`filter.${name}_from`, from),
    before: parseMoment(`filter.${name}_before`, before),
  };
  if (range.from !== null && range.before !== null && range.from >= range.before) {
    throw invalid(
      `filter.${name}_from is ${range.from.toISOString()}; it must be earlier than ${name}_before, ` +
        `${range.before.toISOString()}.`,
    );
  }
  return range;
}

function parseStanding(standing: CredentialStanding): Standing {
  const found = nameOf(presentedStanding, standing);
  if (found === undefined) throw invalid(`filter.standings has ${standing}, which is no CredentialStanding.`);
  return found;
}
