import {
  allRowsOf,
  assigned,
  letterOf,
  reportsProgress,
  type Site,
  type SiteCourse,
  type SiteUser,
  schemeOf,
} from "./canvas-site.js";
import { CLIENT_SECRET } from "./fake-open-edx.js";
import { type FaultyServer, type ReceivedRequest, type Reply, startFaultyServer } from "./faulty-server.js";

export interface FakeCanvas extends FaultyServer {
  /** Permissions that the role of the service's user lacks. */
  readonly lacking: Set<string>;
  /** Parts of paths that the scopes of the token exclude. */
  readonly outOfScope: Set<string>;
  /** Whether the developer key enforces scopes without “Allow Include Parameters”. */
  stripsIncludes: boolean;
  /**
   * Whether to imitate a release before 2024. Such releases respond with 401 if a permission is missing, and with 403
   * to too many requests.
   */
  isOld: boolean;
  pageSize: number;
  /** The accepted access token. */
  token: string;
  /** Whether tokens expire, like those of most developer keys. */
  givesLifetime: boolean;
  tokensGiven: number;
  /** Courses in which the service's user is enrolled. */
  readonly ownCourses: string[];
  /** Remaining quota of Canvas's rate limit; undefined if responses don't report it. */
  remaining: number | undefined;
}

/** Matches ids in quotes. Without quotes, JSON.parse would round large ids. */
const NUMBERS = /"(id|\w+_id)":"(\d+)"/g;

/**
 * A Canvas that behaves like these sources of instructure/canvas-lms (file, class or method, commit of the version that
 * was read):
 * - app/controllers/accounts_controller.rb courses_api, lib/api/v1/course.rb course_json, 00f622e9
 * - app/controllers/courses_controller.rb users, user_progress and bulk_user_progress, 00b222d7; lib/user_search.rb
 *   scope_for, 03199fe4; lib/api/v1/user.rb user_json, enrollment_json and grades_hash, 1ce6f1dd and a later version
 *   whose commit is unknown; app/models/course_progress.rb to_json and requirements, 05698526
 * - app/models/course.rb modules_visible_to and enrollment_visibility_level_for, in a version whose commit is unknown
 * - app/controllers/assignment_groups_controller.rb index, 0088c23e; lib/api/v1/assignment_group.rb
 *   assignment_group_json, 05e9653c
 * - app/controllers/submissions_api_controller.rb for_students, 0088c23e; lib/api/v1/submission.rb
 *   submission_attempt_json, 01faca03 (which has no `posted_at` yet) and a later version whose commit is unknown
 * - app/controllers/oauth2_provider_controller.rb token, 059699fd; lib/canvas/oauth/grant_types/refresh_token.rb,
 *   015d7abc; lib/canvas/oauth/token.rb as_json, 947f257c; lib/canvas/oauth/request_error.rb, 06763dd5
 * - lib/grade_calculator.rb create_group_sums, drop_assignments and calculate_total_from_group_scores, 01f7c4a3 and a
 *   later version
 * - doc/api/developer_keys.md, 2c101865: A key may ignore `include[]`.
 * - lib/api.rb paginate, build_links_hash and stringify_json_ids, 933bff25 and a later version
 * - app/middleware/request_throttle.rb, 00b222d7; lib/authentication_methods.rb render_json_unauthorized, 014cc736;
 *   app/controllers/application_controller.rb api_error_json, 00015e5a
 *
 * Not looked up: what exactly a role without “Users - view list” sees of a course, how a developer key strips
 * includes, and the texts of 404.
 */
export async function startFakeCanvas(site: Site): Promise<FakeCanvas> {
  const switches = {
    lacking: new Set<string>(),
    outOfScope: new Set<string>(),
    stripsIncludes: false,
    isOld: false,
    pageSize: 100,
    token: CLIENT_SECRET,
    givesLifetime: true,
    tokensGiven: 0,
    ownCourses: [] as string[],
    remaining: 598.5 as number | undefined,
  };
  const server = await startFaultyServer((received) => {
    const reply = received.url.pathname === "/login/oauth2/token" ? tokenFor(received) : answer(received);
    const isText = received.accept.includes("canvas-string-ids");
    const body = JSON.stringify(reply.body);
    const rate = fake.remaining === undefined ? {} : { "x-rate-limit-remaining": String(fake.remaining) };
    return {
      ...reply,
      headers: { ...rate, ...reply.headers },
      body: isText ? body : body.replace(NUMBERS, '"$1":$2'),
    };
  });
  const fake: FakeCanvas = Object.assign(server, switches);
  return fake;

  function answer(received: ReceivedRequest): Reply {
    const path = decodeURIComponent(received.url.pathname);
    if (!path.startsWith("/api/v1/")) return { status: 404, body: { status: "not_found" } };
    if (received.authorization !== `Bearer ${fake.token}`)
      return errors(401, "Invalid access token.", { "www-authenticate": 'Bearer realm="canvas-lms"' });
    if ([...fake.outOfScope].some((part) => path.includes(part)))
      return errors(401, "Insufficient scopes on access token.");
    if (path === "/api/v1/accounts/self/courses") return courses(received);
    if (path === "/api/v1/users/self/enrollments")
      return { status: 200, body: fake.ownCourses.map((course_id) => ({ course_id })) };
    const [, only] = /^\/api\/v1\/courses\/(\d+)$/.exec(path) ?? [];
    const single = only === undefined ? undefined : site.courses.get(only);
    if (single) return { status: 200, body: courseJson(single) };
    const [, id = "", rest = ""] = /^\/api\/v1\/courses\/(\d+)\/(.+)$/.exec(path) ?? [];
    const course = site.courses.get(id);
    if (!course || course.state === "deleted") return errors(404, "The specified resource does not exist.");
    const one = /^users\/(\d+)\/progress$/.exec(rest)?.[1];
    if (one !== undefined) return ownProgress(course, one);
    if (rest === `grading_standards/7${id}`) {
      if (lacks("Grades - view all grades")) return unauthorized();
      const grading_scheme = schemeOf(course).map(([name, value]) => ({ name, value }));
      return {
        status: 200,
        body: { id: `7${id}`, title: "Scheme", grading_scheme: grading_scheme.reverse() },
      };
    }
    switch (rest) {
      case "users":
        return users(received, course);
      case "assignment_groups":
        return groups(received, course);
      case "students/submissions":
        return submissions(received, course);
      case "modules":
        return modules(received, course);
      case "bulk_user_progress":
        return progress(received, course);
      default:
        return errors(404, "The specified resource does not exist.");
    }
  }

  function tokenFor({ form }: ReceivedRequest): Reply {
    if (form.get("grant_type") !== "refresh_token")
      return { status: 400, body: { error: "unsupported_grant_type" } };
    if (form.get("client_id") !== "10000000000007" || form.get("client_secret") !== CLIENT_SECRET)
      return { status: 401, body: { error: "invalid_client", error_description: "invalid client" } };
    if (form.get("refresh_token") !== CLIENT_SECRET)
      return {
        status: 400,
        body: { error: "invalid_request", error_description: "refresh_token not found" },
      };
    fake.tokensGiven++;
    fake.token = `token-${fake.tokensGiven}`;
    return {
      status: 200,
      body: {
        access_token: fake.token,
        token_type: "Bearer",
        user: { id: 1, name: "Service", global_id: "10000000000001", effective_locale: "en" },
        ...(fake.givesLifetime && { expires_in: 3600 }),
      },
    };
  }

  function lacks(...permissions: string[]): boolean {
    return permissions.every((permission) => fake.lacking.has(permission));
  }

  function unauthorized(): Reply {
    const message = "user not authorized to perform that action";
    return { status: fake.isOld ? 401 : 403, body: { status: "unauthorized", errors: [{ message }] } };
  }

  function courses(received: ReceivedRequest): Reply {
    if (lacks("Courses - view list")) return unauthorized();
    const states = received.url.searchParams.getAll("state[]");
    const listed = [...site.courses.values()].filter(({ state }) => states.includes(state));
    return page(received, listed, courseJson);
  }

  function courseJson({ id, name, code, state, isWeighted, scheme }: SiteCourse) {
    return {
      id,
      name,
      course_code: code,
      workflow_state: state,
      account_id: "1",
      apply_assignment_group_weights: isWeighted,
      grading_standard_id: scheme === "default" ? "0" : scheme ? `7${id}` : null,
    };
  }

  function users(received: ReceivedRequest, course: SiteCourse): Reply {
    if (lacks("Users - view list", "Grades - view all grades")) return unauthorized();
    const { searchParams } = received.url;
    const states = searchParams.getAll("enrollment_state[]");
    const only = searchParams.getAll("user_ids[]");
    const isStated = (state: string) => states.includes(state);
    const rows = course.enrolments.filter(
      ({ type, state }) => type !== "TeacherEnrollment" && isStated(state),
    );
    const students = rows.filter(({ type }) => type === "StudentEnrollment").map(({ userId }) => userId);
    const listed = [...new Set(students)]
      .filter((id) => only.length === 0 || only.includes(id))
      .flatMap((id) => site.users.get(id) ?? []);
    return page(received, listed, (user) => userJson(received, course, user, isStated));
  }

  function userJson(
    received: ReceivedRequest,
    course: SiteCourse,
    user: SiteUser,
    isStated: (state: string) => boolean,
  ) {
    const includes = fake.stripsIncludes ? [] : received.url.searchParams.getAll("include[]");
    const { id, name, login, sisId, email } = user;
    const isGradeReported = !lacks("Grades - view all grades");
    const override = course.overrides.get(id);
    return {
      id,
      name,
      created_at: "2026-01-01T00:00:00Z",
      sortable_name: name.split(" ").reverse().join(", "),
      short_name: name,
      ...(!lacks("SIS Data - read") && { sis_user_id: sisId, integration_id: null }),
      ...(login !== undefined && !lacks("Users - view login IDs") && { login_id: login }),
      ...(!lacks("Users - view primary email address") && { email }),
      ...(includes.includes("locale") && { locale: user.locale ?? null }),
      ...(includes.includes("enrollments") && {
        enrollments: allRowsOf(course, id)
          .filter(({ state }) => isStated(state))
          .map(({ type, state, section }, index) => ({
            id: `${id}${index}`,
            user_id: id,
            course_id: course.id,
            course_section_id: section,
            type,
            enrollment_state: state,
            role: type,
            role_id: "3",
            ...(type === "StudentEnrollment" && {
              grades: {
                html_url: `${fake.url}/courses/${course.id}/grades/${id}`,
                ...(isGradeReported && {
                  current_grade: null,
                  current_score: 100,
                  final_grade: letterOf(course, course.computed.get(id) ?? null),
                  final_score: course.computed.get(id) ?? null,
                  ...(override !== undefined && {
                    override_score: override,
                    override_grade: letterOf(course, override),
                  }),
                  unposted_current_score: 100,
                  unposted_final_score: 100,
                }),
              },
            }),
          })),
      }),
    };
  }

  function groups(received: ReceivedRequest, course: SiteCourse): Reply {
    if (lacks("Course Content - view", "Grades - view all grades")) return unauthorized();
    const hasIncludes =
      !fake.stripsIncludes && received.url.searchParams.getAll("include[]").includes("assignments");
    return page(received, course.groups, ({ id, name, weight, lowest, highest, never }, index) => ({
      id,
      name,
      position: index + 1,
      group_weight: course.isWeighted ? weight : 0,
      sis_source_id: null,
      integration_data: {},
      // rules that are not set are omitted
      rules: {
        ...(lowest > 0 && { drop_lowest: lowest }),
        ...(highest > 0 && { drop_highest: highest }),
        ...(never.length > 0 && { never_drop: never }),
      },
      ...(hasIncludes && {
        assignments: course.assignments
          .filter(({ groupId }) => groupId === id)
          .map((one) => ({
            id: one.id,
            points_possible: one.possible,
            assignment_group_id: id,
            published: one.isPublished,
            omit_from_final_grade: one.isOmitted,
            submission_types: one.isGraded ? ["online_upload"] : ["not_graded"],
            grading_type: "points",
            moderated_grading: false,
            only_visible_to_overrides: one.section !== undefined,
          })),
        any_assignment_in_closed_grading_period: false,
      }),
    }));
  }

  function submissions(received: ReceivedRequest, course: SiteCourse): Reply {
    if (lacks("Grades - view all grades")) return unauthorized();
    const { searchParams } = received.url;
    const wanted = searchParams.getAll("student_ids[]");
    const rows = course.enrolments.filter(
      ({ state, type }) => state !== "deleted" && type !== "TeacherEnrollment",
    );
    const ids = [...new Set(rows.map(({ userId }) => userId))].sort((a, b) => Number(a) - Number(b));
    if (!wanted.includes("all") && wanted.some((id) => !ids.includes(id))) return unauthorized();
    const listed = ids.filter((id) => wanted.includes("all") || wanted.includes(id));
    const hasIncludes = !fake.stripsIncludes;
    return page(received, listed, (id) => ({
      user_id: id,
      section_id: rows.find(({ userId }) => userId === id)?.section,
      submissions: assigned(course, id).map((assignment) => {
        const own = course.submissions.get(`${id} ${assignment.id}`);
        return {
          assignment_id: assignment.id,
          score: own?.score ?? null,
          excused: own?.isExcused ?? null,
          posted_at: own?.isPosted ? "2026-03-01T10:00:00Z" : null,
          ...(hasIncludes && { assignment_visible: true }),
          anonymous_id: "aB3dE",
        };
      }),
      ...(hasIncludes && {
        computed_final_score: course.computed.get(id) ?? null,
        computed_current_score: 100,
        unposted_final_score: 100,
        unposted_current_score: 100,
      }),
    }));
  }

  /** Responds like app/controllers/context_modules_api_controller.rb index, as documented. */
  function modules(received: ReceivedRequest, course: SiteCourse): Reply {
    const seesAll = !lacks("Course Content - view");
    const all = [
      { isPublished: true, requirements: course.requirements },
      ...(course.unpublished ?? []).map((requirements) => ({ isPublished: false, requirements })),
    ].filter(({ isPublished }) => isPublished || seesAll);
    return page(received, all, ({ isPublished, requirements }, index) => ({
      id: `${course.id}${index}`,
      name: `Module ${index}`,
      items_count: requirements + 1,
      ...(seesAll && { published: isPublished }),
      ...(!fake.stripsIncludes && {
        items: [
          ...Array.from({ length: requirements }, () => ({ completion_requirement: { type: "must_view" } })),
          {},
        ].map((item) => ({ ...item, ...(seesAll && { published: isPublished }) })),
      }),
    }));
  }

  function progressJson(course: SiteCourse, id: string) {
    const met = course.met.get(id) ?? 0;
    const message =
      "no progress available because this course is not module based (…) or the user is not enrolled";
    if (met === "error" || course.requirements === 0) return { error: { message } };
    return {
      requirement_count: course.requirements,
      requirement_completed_count: met,
      next_requirement_url: null,
      completed_at: met === course.requirements ? "2026-03-01T10:00:00Z" : null,
    };
  }

  function progress(received: ReceivedRequest, course: SiteCourse): Reply {
    if (lacks("Grades - view all grades")) return unauthorized();
    if (course.requirements === 0) {
      const message =
        "No progress available because this course is not module based (meaning, it does not have modules and module " +
        "completion requirements).";
      return { status: 400, body: { error: { message } } };
    }
    const listed = [...new Set(course.enrolments.map(({ userId }) => userId))].filter((id) =>
      reportsProgress(course, id),
    );
    return page(received, listed, (id) => ({
      id,
      display_name: site.users.get(id)?.name,
      avatar_image_url: null,
      html_url: `${fake.url}/courses/${course.id}/users/${id}`,
      pronouns: null,
      progress: progressJson(course, id),
    }));
  }

  function ownProgress(course: SiteCourse, id: string): Reply {
    if (!course.enrolments.some(({ userId }) => userId === id))
      return errors(404, "The specified resource does not exist.");
    if (lacks("Grades - view all grades")) return unauthorized();
    const body = progressJson(course, id);
    return { status: "error" in body ? 400 : 200, body };
  }

  /** Returns a page of a list. The response names the last page only if no counting is needed. */
  function page<T>(
    received: ReceivedRequest,
    all: readonly T[],
    render: (one: T, index: number) => unknown,
  ): Reply {
    const { searchParams, pathname } = received.url;
    const size = Math.min(Number(searchParams.get("per_page") ?? 10), fake.pageSize);
    const number = Number(searchParams.get("page") ?? 1);
    const others = new URLSearchParams(searchParams);
    others.delete("page");
    others.delete("per_page");
    const link = (to: number, rel: string) =>
      `<${fake.url}${pathname}?${others}&page=${to}&per_page=${size}>; rel="${rel}"`;
    const some = all.slice((number - 1) * size, number * size);
    const links = [
      link(number, "current"),
      ...(some.length === size ? [link(number + 1, "next")] : []),
      ...(number > 1 ? [link(number - 1, "prev")] : []),
      link(1, "first"),
    ];
    return { status: 200, body: some.map(render), headers: { link: links.join(",") } };
  }

  function errors(status: number, message: string, headers: Record<string, string> = {}): Reply {
    return { status, body: { errors: [{ message }] }, headers };
  }
}

/** Refuses a request because of the rate limit: with 403 like releases before 2025, or with 429 like later releases. */
export function tooMany(isOld: boolean): Reply {
  const text = isOld
    ? "403 Forbidden (Rate Limit Exceeded)\n"
    : "429 Too Many Requests (Rate Limit Exceeded)\n";
  const headers = { "content-type": "text/plain; charset=utf-8", "x-rate-limit-remaining": "0.0" };
  return { status: isOld ? 403 : 429, body: text, headers };
}
