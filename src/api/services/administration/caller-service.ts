import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { learnersOf } from "#domain/credentials/learners-of-organisations.js";
import { findFullNames } from "#domain/learners/full-names.js";
import { findLearner } from "#domain/learners/learner-search-store.js";
import { wrongField } from "#foundation/errors.js";
import { MAX_NAME, MAX_USERNAMES } from "#foundation/limits.js";
import { checkText } from "#foundation/text/check-text.js";
import { CallerKind, type CallerService } from "#gen/learning_credentials/v1/caller_service_pb.js";
import { type Database, inSnapshot } from "#infrastructure/db/database.js";
import { organisationsOf, rolesOf } from "#infrastructure/identity/caller.js";
import { callerName, type Handlers } from "../../pipeline/handlers.js";
import { presentedRoles } from "./session-handlers.js";

export function callerService(database: Database): Handlers<typeof CallerService> {
  const nameOf = (username: string, signal: AbortSignal) =>
    inSnapshot(database, signal, async (transaction) => {
      const learner = await findLearner(transaction, username);
      return learner?.fullName ?? "";
    });
  return {
    async getCaller(_, { caller, signal }) {
      const organisations = organisationsOf(caller);
      const expiresAt = caller.kind === "anonymous" ? undefined : caller.expiresAt;
      return {
        username: callerName(caller),
        fullName: caller.kind === "user" ? await nameOf(caller.username, signal) : "",
        kind: caller.kind === "service" ? CallerKind.SERVICE : CallerKind.USER,
        roles: rolesOf(caller).map((role) => presentedRoles[role]),
        isBounded: organisations !== undefined,
        organisations: [...(organisations ?? [])],
        canWrite: caller.kind !== "service" || caller.canWrite,
        ...(expiresAt !== undefined && { expireTime: timestampFromMs(expiresAt) }),
      };
    },

    async listFullNames({ usernames }, { caller, signal }) {
      if (usernames.length > MAX_USERNAMES)
        throw wrongField(
          "usernames",
          `has ${usernames.length} names; at most ${MAX_USERNAMES} are accepted: make several calls.`,
        );
      const requested = usernames.map((each, index) =>
        checkText(`usernames[${index}]`, each, { min: 1, max: MAX_NAME }),
      );
      const names = await inSnapshot(database, signal, async (transaction) => {
        const organisations = organisationsOf(caller);
        const permitted = organisations && (await learnersOf(transaction, requested, organisations));
        return findFullNames(transaction, permitted ?? requested);
      });
      return { fullNames: [...names].map(([username, fullName]) => ({ username, fullName })) };
    },
  };
}
