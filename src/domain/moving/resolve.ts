import { invalid, quoted } from "#foundation/errors.js";
import type { Knex } from "#infrastructure/db/query.js";
import { findByVerifyUuid } from "../credentials/credential-store.js";
import { isUuid } from "../credentials/uuid.js";
import { findContextName } from "../learners/context-name.js";
import { findLearnersByEmail, findPrintedName } from "../learners/find-by-email.js";
import type { ExportedCredential } from "./export.js";
import type { ExportMap } from "./map.js";

/** A credential with all data except its file. */
export interface ResolvedImport
  extends Omit<
    ExportedCredential,
    "learner" | "context" | "learningContextKey" | "learningContextName" | "credentialType" | "invalidated"
  > {
  readonly username: string;
  readonly learningContextKey: string;
  readonly learningContextName: string;
  readonly credentialType: string;
  readonly invalidated: { readonly reason: string; readonly at: Date } | null;
}

/** Completes credentials with data from the map and from the service's records. */
export interface Resolver {
  /** @throws Problem `invalid` naming the missing value, and where to enter it */
  resolve(credential: ExportedCredential): Promise<ResolvedImport>;
  /** Contexts with missing values, in the form of entries for the map. */
  readonly missing: ReadonlyMap<string, ExportMap["contexts"][string]>;
}

export function createResolver(db: Knex, map: ExportMap): Resolver {
  const missing = new Map<string, ExportMap["contexts"][string]>();
  const contextNames = new Map<string, string>();
  const findUsername = createUsernameLookUp(db, map);

  async function nameOfContext(key: string): Promise<string> {
    const name = contextNames.get(key) ?? (await findContextName(db, key)) ?? "";
    contextNames.set(key, name);
    return name;
  }

  async function contextOf(credential: ExportedCredential) {
    const stated = map.contexts[credential.context] ?? {};
    // `||`, because the entry may be copied from the output of an import, where unknown values are
    // empty.
    const key = stated.learning_context_key || credential.learningContextKey || "";
    const type = stated.credential_type || credential.credentialType || map.credential_type || "";
    const name =
      stated.learning_context_name || credential.learningContextName || (key && (await nameOfContext(key)));
    if (key !== "" && type !== "" && name !== "")
      return { learningContextKey: key, credentialType: type, learningContextName: name };
    missing.set(credential.context, {
      learning_context_key: key,
      learning_context_name: name,
      credential_type: type,
    });
    const absent = [
      ...(key === "" ? ["learning_context_key"] : []),
      ...(name === "" ? ["learning_context_name"] : []),
      ...(type === "" ? ["credential_type"] : []),
    ];
    throw invalid(
      `it was issued for ${quoted(credential.context)}, whose ${absent.join(" and ")} ${absent.length === 1 ? "is" : "are"} unknown: add ${absent.length === 1 ? "it" : "them"} under "contexts" in the map.`,
    );
  }

  async function learnerOf({ learner, userFullName }: ExportedCredential) {
    const username = await findUsername(learner);
    return { username, userFullName: userFullName.trim() || (await findPrintedName(db, username)) };
  }

  return {
    missing,
    async resolve(credential) {
      const { learner, context, invalidated, ...rest } = credential;
      const subject = (await findImported(db, credential)) ?? {
        ...(await contextOf(credential)),
        ...(await learnerOf(credential)),
      };
      return {
        ...rest,
        ...subject,
        issuer: credential.issuer || map.issuer || "",
        invalidated: invalidated && {
          reason: invalidated.reason.trim() || map.withdrawal_reason,
          at: invalidated.at ?? withdrawnAt(map),
        },
      };
    },
  };
}

/**
 * Returns the stored learner and context of a credential that was imported before, because either may have been renamed
 * since. Ignores credentials whose learner was erased.
 */
async function findImported(db: Knex, { verifyUuid }: ExportedCredential) {
  const stored = isUuid(verifyUuid) ? await findByVerifyUuid(db, verifyUuid) : undefined;
  if (!stored?.importedAt || stored.erasedAt) return undefined;
  const { username, userFullName, learningContextKey, learningContextName, credentialType } = stored;
  return { username, userFullName, learningContextKey, learningContextName, credentialType };
}

/** The returned function throws Problem `invalid` unless exactly one learner has the email address. */
function createUsernameLookUp(db: Knex, map: ExportMap) {
  const byEmail = new Map(Object.entries(map.learners).map(([email, name]) => [email.toLowerCase(), name]));

  return async (learner: ExportedCredential["learner"]): Promise<string> => {
    if ("username" in learner) return learner.username;
    const email = learner.email.trim().toLowerCase();
    const cached = byEmail.get(email);
    if (cached !== undefined) return cached;
    const found = await findLearnersByEmail(db, email);
    const [only] = found;
    if (only !== undefined && found.length === 1) {
      byEmail.set(email, only);
      return only;
    }
    if (found.length === 0 && map.unknown_learners === "email") return email;
    const why = found.length === 0 ? "no learner has" : `${found.length} learners have`;
    throw invalid(
      `${why} the email address ${quoted(email)}: import learners first, or name the username under "learners" in the map.`,
    );
  };
}

function withdrawnAt({ withdrawn_at }: ExportMap): Date {
  if (withdrawn_at !== undefined) return new Date(withdrawn_at);
  throw invalid(
    'it was withdrawn, but the export does not say when: add a time for all such credentials as "withdrawn_at" in the map, such as "2026-01-31T00:00:00Z".',
  );
}
