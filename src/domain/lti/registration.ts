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

export const platformSettingColumns = columnsOf<PlatformSettings>("lti_registrations", settingFields);

export const acceptanceColumns = columnsOf<Acceptance>("lti_registrations", acceptanceFields);

export const registrationColumns = columnsOf<Registration>("lti_registrations", {
  id: {},
  state: {},
  decision: {},
  createdAt: {},
  ...settingFields,
  ...acceptanceFields,
});

/** A platform that may launch this service once an administrator has accepted it. */
export interface Registration extends PlatformSettings, Acceptance {
  readonly id: number;
  readonly state: "pending" | "accepted" | "refused";
  /** Sequence number of the current decision about the platform. Tokens and pages from earlier decisions are invalid. */
  readonly decision: number;
  readonly createdAt: Date;
}

/** A platform's description of itself. */
export interface PlatformSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Name of the platform in this service. */
  readonly name: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  /** The `aud` of token requests; empty for the token URL. */
  readonly tokenAudience: string;
  readonly jwksUrl: string;
}

/** Settings that an administrator chooses when accepting a platform. */
export interface Acceptance {
  /** Courses belong to the first organisation, unless their course key names another one of these organisations. */
  readonly organisations: readonly string[];
  /** The console role of teachers; empty for none. */
  readonly teacherRole: TeacherRole;
  /** The connector that reads the same platform and determines its courses and people; empty if there is none. */
  readonly connector: string;
  /** How lists of members are used; empty if they are not read. */
  readonly rosters: Rosters;
  /** Whether to write scores for credentials to the gradebook. */
  readonly hasColumns: boolean;
}

/** `listed` enrols the members of the list. `whole` also withdraws learners who are not in the list. */
export const ROSTERS = ["", "listed", "whole"] as const;
export type Rosters = (typeof ROSTERS)[number];

export const TEACHER_ROLES = ["", "viewer", "registrar", "designer"] as const;
export type TeacherRole = Extract<Role, "viewer" | "registrar" | "designer"> | "";

/** An installation of this service on a platform. */
export interface Deployment {
  readonly registrationId: number;
  readonly deploymentId: string;
  readonly state: "pending" | "accepted" | "refused";
  /** Origins of pages that may embed ours in a frame. */
  readonly frameOrigins: readonly string[];
  readonly firstSeenAt: Date;
}

export const MAX_REGISTRATIONS = 1000;

/** Maximum number of pending deployments per platform. Further deployments are rejected and not stored. */
export const MAX_PENDING_DEPLOYMENTS = 100;
