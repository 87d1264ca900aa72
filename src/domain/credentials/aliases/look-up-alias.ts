import { statusSql } from "#foundation/credential-status.js";
import { arrayOf, createBatchLoader, type LookUp, type ReadOn } from "#infrastructure/db/batch-loader.js";
import { query } from "#infrastructure/db/query.js";
import { isUuid } from "../uuid.js";
import { isCode, normalizeAlias } from "./alias.js";

const { isVerifiable } = statusSql("credential");

/** Finds a credential by its verification UUID or a code of another system, and returns its verification UUID. */
export type LookUpCode = LookUp<string, string | undefined>;

const MAX_BATCH = 500;

export function createCodeLookUp(readOn: ReadOn): LookUpCode {
  const statement = `select alias, credential.verify_uuid as "verifyUuid"
    from credential_aliases join credentials credential on credential.uuid = credential_uuid
    where alias = any (${arrayOf("text")}) and ${isVerifiable}
    union all
    select verify_uuid::text, verify_uuid from credentials credential
    where verify_uuid = any (${arrayOf("uuid")}) and ${isVerifiable}`;
  const lookUp = createBatchLoader(readOn, MAX_BATCH, async (connection, aliases: string[]) => {
    const { rows } = await query<{ alias: string; verifyUuid: string }>(connection, "code", statement, [
      aliases,
      aliases.filter(isUuid),
    ]);
    const found = new Map(rows.map(({ alias, verifyUuid }) => [alias, verifyUuid]));
    return aliases.map((alias) => found.get(alias));
  });
  return async (code, cancellation) =>
    isCode(code) ? lookUp(normalizeAlias(code), cancellation) : undefined;
}
