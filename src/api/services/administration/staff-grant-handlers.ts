import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { findFullNames } from "#domain/learners/full-names.js";
import { invalidField } from "#foundation/errors.js";
import { MAX_NAME } from "#foundation/limits.js";
import { checkText } from "#foundation/text/check-text.js";
import { RoleSchema } from "#gen/learning_credentials/options/v1/options_pb.js";
import type { AdministrationService } from "#gen/learning_credentials/v1/administration_service_pb.js";
import { type Database, inSnapshot, inTransaction } from "#infrastructure/db/database.js";
import { checkStaffName } from "#infrastructure/sessions/sign-in-link.js";
import { listGrants, type StaffGrant } from "#infrastructure/sessions/staff-grant-store.js";
import { grantRoles, revokeRoles } from "#infrastructure/sessions/staff-grants.js";
import type { CurrentSetting } from "#runtime/settings/service-settings.js";
import type { SignInSetting } from "#runtime/settings/sign-in-setting.js";
import { callerName, type Handlers } from "../../pipeline/handlers.js";
import { parseEnum } from "../requests/parse-enum.js";
import { checkOrganisations, presentedRoles } from "./session-handlers.js";

export function staffGrantHandlers(database: Database, signIn: CurrentSetting<SignInSetting>) {
  const rules = async () => ({ providerNamesAdmins: (await signIn())?.claims.rolesClaim !== undefined });
  return {
    async listStaffGrants(_, { signal }) {
      const [grants, names] = await inSnapshot(database, signal, async (transaction) => {
        const listed = await listGrants(transaction);
        return [
          listed,
          await findFullNames(
            transaction,
            listed.map(({ username }) => username),
          ),
        ];
      });
      const current = await signIn();
      const rolesClaim = current?.claims.rolesClaim;
      return {
        grants: grants.map((grant) => present(grant, names)),
        providerAssignsRoles: rolesClaim !== undefined,
        hasProvider: current !== undefined,
        rolesClaim: rolesClaim ?? "",
      };
    },

    async setStaffGrant({ username, roles, organisations, etag }, call) {
      checkStaffName(username);
      if (roles.length === 0) throw invalidField("roles", "roles is empty: grant at least one role.");
      const grant = {
        username,
        roles: roles.map((role, index) => parseEnum(`roles[${index}]`, presentedRoles, role, RoleSchema)),
        organisations: checkOrganisations(organisations),
        grantedBy: callerName(call.caller),
        etag,
      };
      const effective = await rules();
      const [{ before, after }, names] = await inTransaction(database, call.signal, async (transaction) => [
        await grantRoles(transaction, grant, effective),
        await findFullNames(transaction, [username]),
      ]);
      call.changed("staff", before && audited(before), after && audited(after));
      if (!after) throw new Error("the grant that was just saved is missing");
      return present(after, names);
    },

    async deleteStaffGrant({ username, etag }, call) {
      checkText("username", username, { min: 1, max: MAX_NAME });
      const effective = await rules();
      const { before } = await inTransaction(database, call.signal, (transaction) =>
        revokeRoles(transaction, { username, etag }, effective),
      );
      call.changed("staff", before && audited(before), undefined);
      return {};
    },
  } satisfies Partial<Handlers<typeof AdministrationService>>;
}

/** Omits the username, which is recorded separately so that it can be erased. */
function audited({ roles, organisations }: StaffGrant): object {
  return { roles, organisations: organisations ?? [] };
}

function present(grant: StaffGrant, names: ReadonlyMap<string, string>) {
  const { username, roles, organisations, issuer, grantedBy, etag, updatedAt } = grant;
  return {
    username,
    fullName: names.get(username) ?? "",
    roles: roles.map((role) => presentedRoles[role]),
    organisations: [...(organisations ?? [])],
    isUsed: issuer !== null,
    grantedBy,
    etag,
    updateTime: timestampFromDate(updatedAt),
  };
}
