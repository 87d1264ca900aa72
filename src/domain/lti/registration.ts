import { columnsOf } from "#infrastructure/db/columns.js";
import type { Role } from "#infrastructure/identity/roles.js";

const settingFields = {
  issuer: {},
  clientId: {},
  name: {},
  authorizationUrl: {},
  tokenUrl: {},
  tokenAudience: {},
  jwksUrl: {},
};

const acceptanceFields = { organisations: {}, teacherRole: {}, connector: {}, rosters: {}, hasColumns: {} };

export const settingColumns = columnsOf<PlatformSettings>("lti_registrations", settingFields);

export const acceptanceColumns = columnsOf<Acceptance>("lti_registrations", acceptanceFields);

export const registrationColumns = columnsOf<Registration>("lti_registrations", {
  id: {},
  state: {},
  decision: {},
  createdAt: {},
  ...settingFields,
  ...acceptanceFields,
});

/** A platform that may launch this service, once an administrator of ours has accepted it. */
export interface Registration extends PlatformSettings, Acceptance {
  readonly id: number;
  readonly state: "pending" | "accepted" | "refused";
  /** Counts what was decided about it: what an earlier decision has given is no longer valid. */
  readonly decision: number;
  readonly createdAt: Date;
}

/** What a platform reports about itself. */
export interface PlatformSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** For our own records. */
  readonly name: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  /** The `aud` of requests for tokens; empty: the token URL */
  readonly tokenAudience: string;
  readonly jwksUrl: string;
}

/** What the administrator who accepts a platform decides. */
export interface Acceptance {
  /** Courses of the platform belong to the first; those whose key names another one of them, to that one. */
  readonly organisations: readonly string[];
  /** The role of teachers in the console; empty: none */
  readonly teacherRole: TeacherRole;
  /** The connector that reads the same platform, and knows its courses and people; empty: none */
  readonly connector: string;
  /** What its lists of members count for; empty: they are not read */
  readonly rosters: Rosters;
  /** Whether who has a credential is reported in the grade book. */
  readonly hasColumns: boolean;
}

/** Those who are `listed` are enrolled. Of a `whole` list, who is absent is withdrawn. */
export const ROSTERS = ["", "listed", "whole"] as const;
export type Rosters = (typeof ROSTERS)[number];

export const TEACHER_ROLES = ["", "viewer", "registrar", "designer"] as const;
export type TeacherRole = Extract<Role, "viewer" | "registrar" | "designer"> | "";

/** A place of a platform where this service was installed. */
export interface Deployment {
  readonly registrationId: number;
  readonly deploymentId: string;
  readonly state: "pending" | "accepted" | "refused";
  /** Origins whose pages may hold ours in a frame. */
  readonly frameOrigins: readonly string[];
  readonly firstSeenAt: Date;
}

/** Further platforms are refused. */
export const MAX_REGISTRATIONS = 1000;

/** Places of one platform that wait to be accepted: further ones are refused, and not kept. */
export const MAX_PENDING_DEPLOYMENTS = 100;
