import {
  escapeHtml,
  type FaultyServer,
  ok,
  type ReceivedRequest,
  type Reply,
  startFaultyServer,
} from "./faulty-server.js";
import type { PlatformCourse, PlatformData, PlatformUser } from "./platform-data.js";
import { letterOf, totalOf } from "./platform-data.js";

export interface FakeOpenEdx extends FaultyServer {
  /** Number of the accepted token. Changing it invalidates the tokens issued so far. */
  tokenNumber: number;
  tokensGiven: number;
  refusesClient: boolean;
  pageSize: number;
  /** Usernames that the gradebook omits, because their grades can't be computed. */
  readonly uncomputable: Set<string>;
  /** Whether the service user is staff. Otherwise, accounts have public fields only. */
  isStaff: boolean;
  readonly extraCourseIds: string[];
}

export const CLIENT_SECRET = "the-client-secret-of-the-lms";
export const SERVICE_USER = "credentials_worker";

/**
 * An LMS that behaves like these sources (repository, file, class, commit):
 * - openedx/edx-platform lms/djangoapps/course_api/serializers.py CourseSerializer, 046feb0c
 * - openedx/edx-platform lms/djangoapps/grades/rest_api/v1/gradebook_views.py CourseGradingView, GradebookView and
 *   SubsectionGradeView, 0117d5d1; its serializers.py StudentGradebookEntrySerializer and
 *   SubsectionGradeResponseSerializer, 055c7873; subsections that only the gradebook lists: _get_all_children, and
 *   lms/djangoapps/grades/context.py graded_subsections_for_course in a version whose commit is unknown
 * - openedx/edx-platform openedx/core/djangoapps/enrollments/serializers.py CourseEnrollmentsApiListSerializer,
 *   0182a767
 * - openedx/edx-platform openedx/core/djangoapps/user_api/accounts/serializers.py UserReadOnlySerializer and, for
 *   retirements, UserRetirementStatusSerializer, 0118aca1 or a later version
 * - openedx/edx-platform lms/djangoapps/grades/rest_api/v1/views.py CourseGradesView, 0213fde9; its utils.py
 *   _serialize_user_grade, 19d1d403; lms/djangoapps/grades/course_grade.py _compute_passed and _compute_letter_grade,
 *   0b1d22f0
 * - openedx/edx-platform lms/djangoapps/course_api/blocks/transformers/__init__.py SUPPORTED_FIELDS with `start`, in a
 *   later version than 0b5f30e7, whose commit is unknown
 * - openedx/edx-platform openedx/core/djangoapps/user_api/preferences/views.py PreferencesView, 0231e1f8
 * - open-craft/openedx-completion-aggregator completion_aggregator/api/v1/views.py CompletionDetailView, 00cd7c81; its
 *   serializers.py CourseCompletionSerializer, 07874512; completion_aggregator/compat.py init_course_blocks, 07b036c5
 * - openedx/edx-platform openedx/core/djangoapps/oauth_dispatch/views.py AccessTokenView, 006e6dc8
 * - open-craft/learning-paths-plugin learning_paths/api/v1/serializers.py LearningPathListSerializer and
 *   LearningPathEnrollmentSerializer, 51d927f
 */
export async function startFakeOpenEdx(academy: PlatformData): Promise<FakeOpenEdx> {
  const server = await startFaultyServer((received) => answer(received));
  const fake: FakeOpenEdx = Object.assign(server, {
    tokenNumber: 1,
    tokensGiven: 0,
    refusesClient: false,
    pageSize: 20,
    uncomputable: new Set<string>(),
    isStaff: true,
    extraCourseIds: [],
  });
  return fake;

  function answer(received: ReceivedRequest): Reply {
    const { pathname } = received.url;
    if (pathname === "/oauth2/access_token") return token(received);
    if (!/^\/(api|completion-aggregator)\//.test(pathname)) return refuse(404, "not_found");
    if (received.authorization !== `JWT token-${fake.tokenNumber}`) return refuse(401, "token_expired");
    const path = decodeURIComponent(pathname);
    const course = (pattern: RegExp) => {
      const key = pattern.exec(path)?.[1];
      const found = key === undefined ? undefined : academy.courses.get(key);
      return key !== undefined && found ? ([key, found] as const) : undefined;
    };
    if (path === "/api/courses/v1/courses/") return courses(received);
    const info = course(/^\/api\/grades\/v1\/gradebook\/(.+)\/grading-info$/);
    if (info) return gradingInfo(info[1]);
    const book = course(/^\/api\/grades\/v1\/gradebook\/([^/]+)\/$/);
    if (book) return gradebook(received, book[1]);
    const grades = course(/^\/api\/grades\/v1\/courses\/([^/]+)\/$/);
    if (grades) return courseGrades(received, grades[0], grades[1]);
    if (path === "/api/courses/v1/blocks/") return blocks(received);
    const person = /^\/api\/user\/v1\/preferences\/(.+)$/.exec(path)?.[1];
    if (person !== undefined) return preferences(person);
    const usage = /^\/api\/grades\/v1\/subsection\/(.+)\/$/.exec(path)?.[1];
    if (usage !== undefined) return subsection(usage, Number(received.url.searchParams.get("user_id")));
    if (path === "/api/enrollment/v1/enrollments") return enrollments(received);
    if (path === "/api/user/v1/accounts") return accounts(received);
    const completion = course(/^\/completion-aggregator\/v1\/course\/([^/]+)\/$/);
    if (completion) return completions(received, completion[0], completion[1]);
    if (path === "/api/learning_paths/v1/learning-paths/") return paths(received);
    const pathKey = /^\/api\/learning_paths\/v1\/([^/]+)\/enrollments\/$/.exec(path)?.[1];
    const members = pathKey === undefined ? undefined : academy.paths.get(pathKey)?.members;
    if (members)
      return ok([...members].map((user) => ({ user, learning_path: 1, is_active: true, created: "" })));
    if (path === "/api/user/v1/accounts/retirements_by_status_and_date/") {
      return ok(
        academy.retirements.map(({ username, created }) => ({ original_username: username, created })),
      );
    }
    return refuse(404, "not_found");
  }

  function token({ form }: ReceivedRequest): Reply {
    const isRight = form.get("client_secret") === CLIENT_SECRET && form.get("token_type") === "jwt";
    if (fake.refusesClient || !isRight) return refuse(401, "invalid_client");
    fake.tokensGiven++;
    return ok({
      access_token: `token-${fake.tokenNumber}`,
      expires_in: 3600,
      token_type: "JWT",
      scope: "read",
    });
  }

  function courses(received: ReceivedRequest): Reply {
    const seesHidden = received.url.searchParams.get("username") === SERVICE_USER;
    const listed = [...academy.courses]
      .filter(([, course]) => seesHidden || !course.isHidden)
      .map(([id, course]) => ({ course_id: id, id, name: escapeHtml(course.name) }));
    const extra = fake.extraCourseIds.map((id) => ({ course_id: id, id, name: id }));
    const { items, next } = pageOf(received, [...listed, ...extra]);
    return ok({ results: items, pagination: { next, previous: null, count: listed.length, num_pages: 1 } });
  }

  function gradingInfo(course: PlatformCourse): Reply {
    const types = course.policy.map(({ type, weight, dropCount, minCount = 1 }) => [
      type,
      { type, weight, drop_count: dropCount, min_count: minCount, short_label: type.slice(0, 2) },
    ]);
    return ok({
      assignment_types: Object.fromEntries(types),
      subsections: course.subsections
        .filter(({ isUnlisted }) => !isUnlisted)
        .map(({ key, type }) => ({
          module_id: key,
          display_name: key,
          graded: true,
          short_label: "x",
          assignment_type: type,
        })),
      grade_cutoffs: course.cutoffs,
      grades_frozen: false,
      can_see_bulk_management: false,
    });
  }

  function gradebook(received: ReceivedRequest, course: PlatformCourse): Reply {
    const only = received.url.searchParams.get("username");
    const rows = membersOf(course).filter(
      ([user, member]) => member.isActive && !fake.uncomputable.has(user.username),
    );
    const entryOf = ([user, member]: (typeof rows)[number]) => ({
      user_id: user.id,
      username: user.username,
      full_name: "",
      email: "",
      percent: totalOf(course, member),
      section_breakdown: course.subsections.map(({ key, type, possible }) => {
        const score = member.scores.get(key);
        return {
          attempted: score !== undefined,
          category: type,
          label: type.slice(0, 2),
          module_id: key,
          percent: 0,
          score_earned: score ?? 0,
          score_possible: score === undefined ? 0 : possible,
          subsection_name: key,
        };
      }),
    });
    if (only !== null) {
      const row = rows.find(([user]) => user.username === only);
      return row ? ok(entryOf(row)) : refuse(404, "user_not_enrolled");
    }
    const { items, next } = pageOf(received, rows);
    return ok({
      next,
      previous: null,
      total_users_count: rows.length,
      filtered_users_count: rows.length,
      results: items.map(entryOf),
    });
  }

  function courseGrades(received: ReceivedRequest, key: string, course: PlatformCourse): Reply {
    const only = received.url.searchParams.get("username");
    const rows = membersOf(course)
      .filter(([user, member]) => member.isActive && !fake.uncomputable.has(user.username))
      .map(([user, member]) => {
        const percent = totalOf(course, member);
        const letter = letterOf(course, percent);
        return {
          username: user.username,
          email: "",
          course_id: key,
          passed: letter !== "",
          percent,
          letter_grade: letter || null,
        };
      });
    if (only !== null) {
      const row = rows.find(({ username }) => username === only);
      return row ? ok([row]) : refuse(404, "user_not_enrolled");
    }
    const { items, next } = pageOf(received, rows);
    return ok({ next, previous: null, results: items });
  }

  function blocks(received: ReceivedRequest): Reply {
    const course = academy.courses.get(received.url.searchParams.get("course_id") ?? "");
    if (!course) return refuse(404, "not_found");
    return ok(
      course.subsections.map(({ key, startsAt }) => ({
        id: key,
        type: "sequential",
        start: startsAt ?? "2020-01-01T00:00:00Z",
        visible_to_staff_only: false,
      })),
    );
  }

  function preferences(username: string): Reply {
    const user = [...academy.users.values()].find((one) => one.username === username);
    if (!user) return refuse(404, "not_found");
    return ok(user.language === undefined ? {} : { "pref-lang": user.language });
  }

  function subsection(usage: string, userId: number): Reply {
    for (const [key, course] of academy.courses) {
      const found = course.subsections.find((one) => one.key === usage);
      if (!found) continue;
      const score = course.members.get(userId)?.scores.get(usage);
      const isSeen = score !== undefined || (found.seenBy?.(userId) ?? true);
      const [earned, possible] = isSeen ? [score ?? 0, found.possible] : [0, 0];
      return ok({
        success: isSeen,
        ...(!isSeen && {
          error_message: "Cannot override subsection grade: subsection is not available for target learner.",
        }),
        subsection_id: usage,
        user_id: userId,
        course_id: key,
        original_grade: {
          earned_all: earned,
          possible_all: possible,
          earned_graded: earned,
          possible_graded: possible,
        },
        override: null,
        history: [],
      });
    }
    return refuse(404, "invalid_usage_key");
  }

  function enrollments(received: ReceivedRequest): Reply {
    const key = received.url.searchParams.get("course_id") ?? "";
    const only = received.url.searchParams.get("username")?.split(",");
    const course = academy.courses.get(key);
    if (!course) return refuse(404, "not_found");
    const rows = membersOf(course).filter(([user]) => !only || only.includes(user.username));
    const { items, next } = pageOf(received, rows);
    return ok({
      next,
      previous: null,
      results: items.map(([user, member]) => ({
        created: "2026-01-01T00:00:00Z",
        mode: "audit",
        is_active: member.isActive,
        user: user.username,
        course_id: key,
      })),
    });
  }

  function accounts(received: ReceivedRequest): Reply {
    const names = received.url.searchParams.get("username")?.split(",");
    const id = received.url.searchParams.get("lms_user_id");
    const service = {
      id: 999_999,
      username: SERVICE_USER,
      email: "worker@uni.test",
      name: "",
      verifiedName: null,
      isActive: true,
    };
    const users = [...academy.users.values(), service].filter((user) =>
      names ? names.includes(user.username) : String(user.id) === id,
    );
    if (users.length === 0) return refuse(404, "not_found");
    return ok(
      users.map((user) =>
        fake.isStaff
          ? {
              id: user.id,
              username: user.username,
              email: user.email,
              name: user.name,
              verified_name: user.verifiedName,
              is_active: user.isActive,
              language_proficiencies: [],
            }
          : { id: user.id, username: user.username, name: user.name, account_privacy: "all_users" },
      ),
    );
  }

  function completions(received: ReceivedRequest, key: string, course: PlatformCourse): Reply {
    const only = received.url.searchParams.get("username");
    const rows = membersOf(course).filter(
      ([user, { isActive }]) => isActive && (only === null || user.username === only),
    );
    if (only !== null && rows.length === 0) return refuse(404, "not_found");
    const { items, next } = pageOf(received, rows);
    return ok({
      pagination: { next, previous: null, count: rows.length, num_pages: 1 },
      results: items.map(([user, member]) => ({
        course_key: key,
        completion: { earned: 1, possible: null, percent: member.completion },
        ...(only === null && fake.isStaff && { username: user.username }),
      })),
    });
  }

  function paths(received: ReceivedRequest): Reply {
    const { items, next } = pageOf(received, [...academy.paths], 10);
    return ok({
      count: academy.paths.size,
      next,
      previous: null,
      results: items.map(([key, path]) => ({
        key,
        display_name: path.name,
        invite_only: path.inviteOnly,
        sequential: false,
        steps: path.steps.map((course_key, order) => ({ order, course_key, weight: 1 })).reverse(),
      })),
    });
  }

  function membersOf(course: PlatformCourse) {
    return [...course.members].flatMap(([id, member]) => {
      const user = academy.users.get(id);
      return user ? ([[user, member]] as [PlatformUser, typeof member][]) : [];
    });
  }

  function pageOf<T>(received: ReceivedRequest, items: readonly T[], size = fake.pageSize) {
    const start = Number(received.url.searchParams.get("cursor") ?? 0);
    const next = new URL(received.url);
    next.searchParams.set("cursor", String(start + size));
    return { items: items.slice(start, start + size), next: start + size < items.length ? next.href : null };
  }
}

function refuse(status: number, error_code: string): Reply {
  return { status, body: { developer_message: "no", error_code } };
}
