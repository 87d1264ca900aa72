import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { findFullNames } from "#domain/learners/full-names.js";
import { quoted, wrongField } from "#foundation/errors.js";
import { MAX_NAME } from "#foundation/limits.js";
import { checkCount } from "#foundation/text/check-count.js";
import { checkText } from "#foundation/text/check-text.js";
import { isOrganisation, ORGANISATION_RULE } from "#foundation/text/organisation.js";
import { Role as RoleMessage, RoleSchema } from "#gen/learning_credentials/options/v1/options_pb.js";
import type { AdministrationService } from "#gen/learning_credentials/v1/administration_service_pb.js";
import { type Database, inSnapshot, inTransaction } from "#infrastructure/db/database.js";
import {
  deleteSessionByKey,
  deleteSessionsOf,
  listSessions,
} from "#infrastructure/sessions/session-store.js";
import { createSignInLink, SIGN_IN_LINK_LIFETIME_S } from "#infrastructure/sessions/sign-in-link.js";
import type { Handlers } from "../../pipeline/handlers.js";
import { numbersByName, parseEnum } from "../requests/parse-enum.js";

const MAX_ORGANISATIONS = 50;

export function sessionHandlers(database: Database, publicUrl: string) {
  return {
    async listSessions(_, { caller, signal }) {
      const [sessions, names] = await inSnapshot(database, signal, async (transaction) => {
        const listed = await listSessions(transaction);
        return [
          listed,
          await findFullNames(transaction, [...new Set(listed.map(({ username }) => username))]),
        ];
      });
      return {
        sessions: sessions.map(({ key, username, roles, organisations, issuer, isGranted, ...session }) => ({
          id: key,
          username,
          fullName: names.get(username) ?? "",
          roles: roles.map((role) => presentedRoles[role]),
          isBounded: organisations !== undefined,
          organisations: [...(organisations ?? [])],
          createTime: timestampFromDate(session.createdAt),
          lastUseTime: timestampFromDate(session.seenAt),
          expireTime: timestampFromDate(session.expiresAt),
          isOwn: caller.kind === "user" && caller.session === key,
          isOfProvider: issuer !== undefined,
          isGranted: isGranted ?? false,
        })),
      };
    },

    async endSessions({ username, sessionId }, { signal }) {
      checkText("username", username, { min: 1, max: MAX_NAME });
      if (!/^(?:[0-9a-f]{64})?$/.test(sessionId))
        throw wrongField("session_id", `is ${quoted(sessionId)}; it must be the id of a session.`);
      const count = await inTransaction(database, signal, (transaction) =>
        sessionId === ""
          ? deleteSessionsOf(transaction, username)
          : deleteSessionByKey(transaction, username, sessionId),
      );
      return { count };
    },

    async createSignInLink({ username, roles, organisations }, call) {
      checkText("username", username, { min: 1, max: MAX_NAME });
      const request = {
        username,
        roles: roles.map((role, index) => parseEnum(`roles[${index}]`, presentedRoles, role, RoleSchema)),
        organisations: checkOrganisations(organisations),
        lifetimeS: SIGN_IN_LINK_LIFETIME_S,
      };
      const url = await inTransaction(database, call.signal, (transaction) =>
        createSignInLink(transaction, publicUrl, request),
      );
      call.changed("link", undefined, { roles: request.roles, organisations: request.organisations });
      return { url, expireTime: timestampFromDate(new Date(Date.now() + SIGN_IN_LINK_LIFETIME_S * 1000)) };
    },
  } satisfies Partial<Handlers<typeof AdministrationService>>;
}

export const presentedRoles = numbersByName(RoleMessage);

/** @throws Problem `invalid` if a name is not an organisation or there are too many */
export function checkOrganisations(organisations: readonly string[]): readonly string[] {
  checkCount("organisations", organisations, MAX_ORGANISATIONS);
  const wrong = organisations.find((each) => !isOrganisation(each));
  if (wrong === undefined) return organisations;
  throw wrongField("organisations", `has ${quoted(wrong)}; each must be ${ORGANISATION_RULE}`);
}
