import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { checkPlatform } from "#domain/lti/check-platform.js";
import { type Lti, ltiOrRefuse } from "#domain/lti/lti.js";
import {
  acceptPlatform,
  changeDeploymentState,
  invitePlatform,
  noSuchPlatform,
  refusePlatform,
  registerPlatform,
  removePlatform,
} from "#domain/lti/manage-registrations.js";
import {
  type Acceptance,
  acceptanceColumns,
  type Deployment,
  platformSettingColumns,
  type Registration,
  type Rosters,
  type TeacherRole,
} from "#domain/lti/registration.js";
import { findRegistration, listDeployments, listRegistrations } from "#domain/lti/registration-store.js";
import { type RosterStatus, readRosterStatus } from "#domain/lti/roster-store.js";
import { type ColumnStatus, readColumnStatus } from "#domain/lti/score-store.js";
import { Role, RoleSchema } from "#gen/learning_credentials/options/v1/options_pb.js";
import {
  type LtiAcceptance,
  LtiRosterMode,
  LtiRosterModeSchema,
  type LtiService,
  LtiState,
} from "#gen/learning_credentials/v1/lti_service_pb.js";
import type { Knex } from "#infrastructure/db/query.js";
import { type Call, callerName, type Handlers } from "../../pipeline/handlers.js";
import { presentChecks } from "../presentation/present-checks.js";
import { checkId, checkPresent } from "../requests/check-request.js";
import { type FieldReaders, readFields } from "../requests/field-mask.js";
import { numbersByName, parseEnum } from "../requests/parse-enum.js";

/** @param lti undefined if LTI is disabled, in which case every method fails */
export function ltiService(lti: Lti | undefined): Handlers<typeof LtiService> {
  const databaseOf = () => ltiOrRefuse(lti).database;
  const knexOf = () => databaseOf().knex;

  const noting = (call: Call, id: number, change: () => Promise<unknown>) =>
    recordChange(knexOf(), call, id, change);

  async function platformOf(id: number) {
    const registration = await findRegistration(knexOf(), id);
    if (!registration) throw noSuchPlatform(id);
    const [rosters] = await readRosterStatus(knexOf(), id);
    const [columns] = await readColumnStatus(knexOf(), id);
    return present(registration, await listDeployments(knexOf(), id), { rosters, columns });
  }

  return {
    async createLtiInvitation(_, { caller }) {
      const { database, publicUrl } = ltiOrRefuse(lti);
      return { url: await invitePlatform(database.knex, publicUrl, callerName(caller)) };
    },

    async createLtiPlatform(request, { caller }) {
      const settings = checkPresent("settings", request.settings);
      return platformOf(await registerPlatform(knexOf(), settings, callerName(caller)));
    },

    async listLtiPlatforms() {
      const [platforms, deployments] = [await listRegistrations(knexOf()), await listDeployments(knexOf())];
      const [rosters, columns] = [await readRosterStatus(knexOf()), await readColumnStatus(knexOf())];
      return {
        platforms: platforms.map((each) =>
          present(
            each,
            deployments.filter(({ registrationId }) => registrationId === each.id),
            {
              rosters: rosters.find(({ registrationId }) => registrationId === each.id),
              columns: columns.find(({ registrationId }) => registrationId === each.id),
            },
          ),
        ),
      };
    },

    async acceptLtiPlatform({ id, acceptance }, call) {
      checkId("id", id);
      const decided = readFields(acceptanceFields, checkPresent("acceptance", acceptance));
      await noting(call, id, () => acceptPlatform(databaseOf(), id, decided, call.signal));
      return platformOf(id);
    },

    async refuseLtiPlatform({ id }, call) {
      checkId("id", id);
      await noting(call, id, () => refusePlatform(databaseOf(), id, call.signal));
      return platformOf(id);
    },

    async deleteLtiPlatform({ id }, call) {
      checkId("id", id);
      await noting(call, id, () => removePlatform(databaseOf(), id, call.signal));
      return {};
    },

    async decideLtiDeployment({ platformId, deploymentId, accepted, frameOrigins }, call) {
      checkId("platform_id", platformId);
      const origins = frameOrigins.length > 0 ? frameOrigins : undefined;
      const deploymentKey = { registrationId: platformId, deploymentId };
      const state = accepted ? "accepted" : "refused";
      await noting(call, platformId, () =>
        changeDeploymentState(databaseOf(), deploymentKey, state, origins, call.signal),
      );
      return platformOf(platformId);
    },

    checkLtiPlatform: ({ id }, { signal }) => checkById(ltiOrRefuse(lti), id, signal),

    async rotateLtiKey(_, { signal }) {
      return { kid: await ltiOrRefuse(lti).toolKeys.rotate(signal) };
    },
  };
}

async function checkById(lti: Lti, id: number, signal: AbortSignal) {
  checkId("id", id);
  const registration = await findRegistration(lti.database.knex, id);
  if (!registration) throw noSuchPlatform(id);
  return presentChecks(await checkPlatform(lti, registration, signal));
}

/** Changes a platform's settings and records the change for the audit trail. */
async function recordChange(
  knex: Knex,
  call: Call,
  id: number,
  change: () => Promise<unknown>,
): Promise<void> {
  const before = await auditedState(knex, id);
  await change();
  call.changed(`platform:${id}`, before, await auditedState(knex, id));
}

/** Returns a platform with its deployments, for the audit trail. */
async function auditedState(knex: Knex, id: number): Promise<object | undefined> {
  const registration = await findRegistration(knex, id);
  if (!registration) return undefined;
  const deployments = await listDeployments(knex, id);
  return {
    ...registration,
    deployments: deployments.map(({ firstSeenAt: _, ...deploymentKey }) => deploymentKey),
  };
}

const acceptanceFields: FieldReaders<LtiAcceptance, Acceptance> = {
  organisations: ({ organisations }) => organisations,
  teacherRole: ({ teacherRole }) =>
    parseEnum("acceptance.teacher_role", presentedTeacherRole, teacherRole, RoleSchema),
  connector: ({ connector }) => connector,
  rosters: ({ rosters }) => parseEnum("acceptance.rosters", presentedRosters, rosters, LtiRosterModeSchema),
  hasColumns: ({ hasColumns }) => hasColumns,
};

export const presentedTeacherRole: Readonly<Record<TeacherRole, Role>> = {
  viewer: Role.VIEWER,
  registrar: Role.REGISTRAR,
  designer: Role.DESIGNER,
  "": Role.UNSPECIFIED,
};

export const presentedRosters: Readonly<Record<Rosters, LtiRosterMode>> = {
  listed: LtiRosterMode.LISTED,
  whole: LtiRosterMode.COMPLETE,
  "": LtiRosterMode.UNSPECIFIED,
};

const presentedState = numbersByName(LtiState);

function present(
  registration: Registration,
  deployments: readonly Deployment[],
  {
    rosters,
    columns,
  }: { readonly rosters: RosterStatus | undefined; readonly columns: ColumnStatus | undefined },
) {
  const { id, state, createdAt } = registration;
  const { organisations, ...acceptance } = acceptanceColumns.pick(registration);
  return {
    id,
    state: presentedState[state],
    settings: platformSettingColumns.pick(registration),
    acceptance: {
      ...acceptance,
      organisations: [...organisations],
      teacherRole: presentedTeacherRole[acceptance.teacherRole],
      rosters: presentedRosters[acceptance.rosters],
    },
    createTime: timestampFromDate(createdAt),
    deployments: deployments.map((deploymentKey) => ({
      deploymentId: deploymentKey.deploymentId,
      state: presentedState[deploymentKey.state],
      frameOrigins: [...deploymentKey.frameOrigins],
      createTime: timestampFromDate(deploymentKey.firstSeenAt),
    })),
    rosters: {
      courses: rosters?.courses ?? 0,
      listed: rosters?.listed ?? 0,
      read: rosters?.read ?? 0,
      problems: (rosters?.problems ?? []).map(({ contextKey, problem, triedAt }) => ({
        learningContextKey: contextKey,
        problem,
        lastReadTime: timestampFromDate(triedAt),
      })),
    },
    columns: {
      written: columns?.written ?? 0,
      waiting: columns?.waiting ?? 0,
      problems: (columns?.problems ?? []).map(({ contextKey, problem, count }) => ({
        learningContextKey: contextKey,
        problem,
        count,
      })),
    },
  };
}
