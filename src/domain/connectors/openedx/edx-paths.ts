import type { Scope } from "../driver/driver.js";

const PAGE_SIZE = 100;

const PAGED = `page_size=${PAGE_SIZE}`;

export function coursesPath(username: string): string {
  return `/api/courses/v1/courses/?username=${encodeURIComponent(username)}&${PAGED}`;
}

export function enrollmentsPath({ externalId }: Scope, query = PAGED): string {
  return `/api/enrollment/v1/enrollments?course_id=${encodeURIComponent(externalId)}&${query}`;
}

export function gradingInfoPath({ externalId }: Scope): string {
  return `/api/grades/v1/gradebook/${encodeURIComponent(externalId)}/grading-info?graded_only=true`;
}

export function gradebookPath({ externalId }: Scope, query = PAGED): string {
  return `/api/grades/v1/gradebook/${encodeURIComponent(externalId)}/?${query}`;
}

export function courseGradesPath({ externalId }: Scope, query = PAGED): string {
  return `/api/grades/v1/courses/${encodeURIComponent(externalId)}/?${query}`;
}

export function releasesPath({ externalId }: Scope): string {
  const query = new URLSearchParams({
    course_id: externalId,
    all_blocks: "true",
    depth: "2",
    requested_fields: "start,visible_to_staff_only",
    block_types_filter: "chapter,sequential",
    return_type: "list",
  });
  return `/api/courses/v1/blocks/?${query}`;
}

export function preferencesPath(username: string): string {
  return `/api/user/v1/preferences/${encodeURIComponent(username)}`;
}

export function subsectionPath(usageKey: string, userId: number): string {
  return `/api/grades/v1/subsection/${encodeURIComponent(usageKey)}/?user_id=${userId}&history_record_limit=0`;
}

export function completionPath({ externalId }: Scope, query = PAGED): string {
  return `/completion-aggregator/v1/course/${encodeURIComponent(externalId)}/?${query}`;
}
