import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { CallerKind, type CallerService } from "../../gen/learning_credentials/v1/caller_service_pb.js";
import type { Database } from "../db/database.js";
import { inSnapshot } from "../db/transaction.js";
import { organisationsOf, rolesOf } from "../identity/caller.js";
import { findLearner } from "../learners/learner-search-store.js";
import { callerName, type Handlers } from "../pipeline/handlers.js";
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
  };
}
