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

/** A platform that may launch this service once an administrator has accepted it. */
export interface Registration extends PlatformSettings, Acceptance {
  readonly id: number;
  readonly state: "pending" | "accepted" | "refused";
  /**
   * Number of the current decision about the platform. Tokens and pages granted under an earlier decision are no longer
   * valid.
   */
  readonly decision: number;
  readonly createdAt: Date;
}

/** What a platform reports about itself. */
export interface PlatformSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Display name, used only by this service. */
  readonly name: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  /** The `aud` of token requests; empty: the token URL */
  readonly tokenAudience: string;
  readonly jwksUrl: string;
}

/** The settings that an administrator chooses when accepting a platform. */
export interface Acceptance {
  /** The platform's courses belong to the first organisation, or to another of these if the course key names it. */
  readonly organisations: readonly string[];
  /** The console role of teachers; empty: none */
  readonly teacherRole: TeacherRole;
  /** The connector that reads the same platform and determines its courses and people; empty: none */
  readonly connector: string;
  /** How its lists of members are used; empty: they are not read */
  readonly rosters: Rosters;
  /** Whether scores for credentials are written to the grade book. */
  readonly hasColumns: boolean;
}

/** `listed`: members of the list are enrolled. `whole`: learners absent from the list are withdrawn, too. */
export const ROSTERS = ["", "listed", "whole"] as const;
export type Rosters = (typeof ROSTERS)[number];

export const TEACHER_ROLES = ["", "viewer", "registrar", "designer"] as const;
export type TeacherRole = Extract<Role, "viewer" | "registrar" | "designer"> | "";

/** A deployment: an installation of this service on a platform. */
export interface Deployment {
  readonly registrationId: number;
  readonly deploymentId: string;
  readonly state: "pending" | "accepted" | "refused";
  /** Origins of pages that may embed ours in a frame. */
  readonly frameOrigins: readonly string[];
  readonly firstSeenAt: Date;
}

/** Limit for platforms; more are refused. */
export const MAX_REGISTRATIONS = 1000;

/** Limit for pending deployments of one platform. More are refused, and not stored. */
export const MAX_PENDING_DEPLOYMENTS = 100;
