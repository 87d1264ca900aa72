import type { Scope } from "../driver/driver.js";
import type { CanvasSettings } from "./canvas-settings.js";

/** A group of requests that need the same permissions. `name` is used in errors and metrics. */
export interface CanvasEndpoint {
  readonly name: string;
  /** The scope that a developer key needs if it enforces scopes. */
  readonly scope: string;
  /** Account permissions that the service user needs, by their names in Canvas. */
  readonly needs: string;
}

const GRADES = "“Grades - view all grades”";

export const endpoints = {
  courses: {
    name: "courses",
    scope: "url:GET|/api/v1/accounts/:account_id/courses",
    needs: "“Courses - view list”",
  },
  users: {
    name: "users",
    scope: "url:GET|/api/v1/courses/:course_id/users",
    needs: `“Users - view list” and ${GRADES}`,
  },
  course: {
    name: "course",
    scope: "url:GET|/api/v1/courses/:id",
    needs: "“Courses - view list”",
  },
  scheme: {
    name: "grading-standard",
    scope: "url:GET|/api/v1/courses/:course_id/grading_standards/:grading_standard_id",
    needs: GRADES,
  },
  own: {
    name: "own-enrollments",
    scope: "url:GET|/api/v1/users/:user_id/enrollments",
    needs: "an access token of a user",
  },
  groups: {
    name: "assignment-groups",
    scope: "url:GET|/api/v1/courses/:course_id/assignment_groups",
    needs: `“Course Content - view” and ${GRADES}`,
  },
  submissions: {
    name: "submissions",
    scope: "url:GET|/api/v1/courses/:course_id/students/submissions",
    needs: GRADES,
  },
  modules: {
    name: "modules",
    scope: "url:GET|/api/v1/courses/:course_id/modules",
    needs: "“Course Content - view”",
  },
  bulkProgress: {
    name: "bulk-user-progress",
    scope: "url:GET|/api/v1/courses/:course_id/bulk_user_progress",
    needs: GRADES,
  },
  progress: {
    name: "user-progress",
    scope: "url:GET|/api/v1/courses/:course_id/users/:user_id/progress",
    needs: GRADES,
  },
} satisfies Record<string, CanvasEndpoint>;

/** The largest page size that Canvas allows. */
const PER_PAGE = 100;

/** The page is small, because each learner has as many submissions as the course has assignments. */
const LEARNERS_WITH_SUBMISSIONS = 50;

/** Lists courses, except courses that were never published or are deleted. */
export function coursesPath({ account }: CanvasSettings): string {
  return pathOf(`accounts/${encodeURIComponent(account)}/courses`, [
    ["state[]", "available"],
    ["state[]", "completed"],
    ["per_page", PER_PAGE],
  ]);
}

/** Lists learners, including those whose enrolments are concluded. */
export function usersPath({ externalId }: Scope, ...ids: readonly string[]): string {
  return pathOf(`courses/${encodeURIComponent(externalId)}/users`, [
    ["enrollment_type[]", "student"],
    ...["active", "completed", "inactive"].map((state) => ["enrollment_state[]", state] as const),
    ["include[]", "enrollments"],
    ["include[]", "email"],
    ["include[]", "locale"],
    ...ids.map((id) => ["user_ids[]", id] as const),
    ["per_page", PER_PAGE],
  ]);
}

export function coursePath(courseId: string): string {
  return pathOf(`courses/${encodeURIComponent(courseId)}`, []);
}

export function schemePath(courseId: string, schemeId: string): string {
  return pathOf(
    `courses/${encodeURIComponent(courseId)}/grading_standards/${encodeURIComponent(schemeId)}`,
    [],
  );
}

/** Lists the enrolments of the service user. */
export function ownPath(): string {
  return pathOf("users/self/enrollments", [["per_page", PER_PAGE]]);
}

export function groupsPath({ externalId }: Scope): string {
  return pathOf(`courses/${encodeURIComponent(externalId)}/assignment_groups`, [
    ["include[]", "assignments"],
    ["override_assignment_dates", "false"],
    ...["description", "rubric", "in_closed_grading_period"].map(
      (field) => ["exclude_response_fields[]", field] as const,
    ),
    ["per_page", PER_PAGE],
  ]);
}

/** @param id of one learner; default: all learners */
export function submissionsPath({ externalId }: Scope, id = "all"): string {
  return pathOf(`courses/${encodeURIComponent(externalId)}/students/submissions`, [
    ["student_ids[]", id],
    ["grouped", "1"],
    ["include[]", "total_scores"],
    ["include[]", "visibility"],
    ...["assignment_id", "score", "excused", "posted_at"].map(
      (field) => ["response_fields[]", field] as const,
    ),
    ["exclude_response_fields[]", "preview_url"],
    ["per_page", LEARNERS_WITH_SUBMISSIONS],
  ]);
}

export function modulesPath({ externalId }: Scope): string {
  return pathOf(`courses/${encodeURIComponent(externalId)}/modules`, [
    ["include[]", "items"],
    ["per_page", PER_PAGE],
  ]);
}

export function bulkProgressPath({ externalId }: Scope): string {
  return pathOf(`courses/${encodeURIComponent(externalId)}/bulk_user_progress`, [["per_page", PER_PAGE]]);
}

export function progressPath({ externalId }: Scope, id: string): string {
  return pathOf(`courses/${encodeURIComponent(externalId)}/users/${encodeURIComponent(id)}/progress`, []);
}

function pathOf(path: string, query: readonly (readonly [string, string | number])[]): string {
  const parameters = new URLSearchParams(
    query.map(([name, value]): [string, string] => [name, String(value)]),
  );
  return `/api/v1/${path}${query.length > 0 ? `?${parameters}` : ""}`;
}
