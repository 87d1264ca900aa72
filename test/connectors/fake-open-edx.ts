import type { Academy, AcademyCourse, AcademyUser } from "./academy.js";
import { PASS, totalOf } from "./academy.js";
import { type Asked, type FaultyServer, type Reply, startFaultyServer } from "./faulty-server.js";

/** Switches of a fake LMS. */
export interface FakeOpenEdx extends FaultyServer {
  /** What it accepts as a token; changing it expires the tokens that were given out. */
  tokenNumber: number;
  tokensGiven: number;
  refusesClient: boolean;
  pageSize: number;
  /** Usernames that the gradebook leaves out, because their grades can't be computed. */
  readonly uncomputable: Set<string>;
  readonly extraCourseIds: string[];
}

export const CLIENT_SECRET = "the-client-secret-of-the-lms";
export const SERVICE_USER = "credentials_worker";

/** An LMS with the shapes of its REST API, as openedx-platform's sources state them. */
export async function startFakeOpenEdx(academy: Academy): Promise<FakeOpenEdx> {
  const server = await startFaultyServer((asked) => answer(asked));
  const fake: FakeOpenEdx = Object.assign(server, {
    tokenNumber: 1,
    tokensGiven: 0,
    refusesClient: false,
    pageSize: 20,
    uncomputable: new Set<string>(),
    extraCourseIds: [],
  });
  return fake;

  function answer(asked: Asked): Reply {
    const { pathname } = asked.url;
    if (pathname === "/oauth2/access_token") return token(asked);
    if (!/^\/(api|completion-aggregator)\//.test(pathname)) return refuse(404, "not_found");
    if (asked.authorization !== `JWT token-${fake.tokenNumber}`) return refuse(401, "token_expired");
    const path = decodeURIComponent(pathname);
    const course = (pattern: RegExp) => {
      const key = pattern.exec(path)?.[1];
      const found = key === undefined ? undefined : academy.courses.get(key);
      return key !== undefined && found ? ([key, found] as const) : undefined;
    };
    if (path === "/api/courses/v1/courses/") return courses(asked);
    const info = course(/^\/api\/grades\/v1\/gradebook\/(.+)\/grading-info$/);
    if (info) return gradingInfo(info[1]);
    const book = course(/^\/api\/grades\/v1\/gradebook\/([^/]+)\/$/);
    if (book) return gradebook(asked, book[1]);
    const usage = /^\/api\/grades\/v1\/subsection\/(.+)\/$/.exec(path)?.[1];
    if (usage !== undefined) return subsection(usage);
    if (path === "/api/enrollment/v1/enrollments") return enrollments(asked);
    if (path === "/api/user/v1/accounts") return accounts(asked);
    const completion = course(/^\/completion-aggregator\/v1\/course\/([^/]+)\/$/);
    if (completion) return completions(asked, completion[0], completion[1]);
    if (path === "/api/learning_paths/v1/learning-paths/") return paths(asked);
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

  function token({ form }: Asked): Reply {
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

  function courses(asked: Asked): Reply {
    const seesHidden = asked.url.searchParams.get("username") === SERVICE_USER;
    const listed = [...academy.courses]
      .filter(([, course]) => seesHidden || !course.isHidden)
      .map(([id, course]) => ({ course_id: id, id, name: escapeHtml(course.name) }));
    const extra = fake.extraCourseIds.map((id) => ({ course_id: id, id, name: id }));
    const { items, next } = pageOf(asked, [...listed, ...extra]);
    return ok({ results: items, pagination: { next, previous: null, count: listed.length, num_pages: 1 } });
  }

  function gradingInfo(course: AcademyCourse): Reply {
    const types = course.policy.map(({ type, weight, dropCount }) => [
      type,
      { type, weight, drop_count: dropCount, min_count: 1, short_label: type.slice(0, 2) },
    ]);
    return ok({
      assignment_types: Object.fromEntries(types),
      subsections: course.subsections.map(({ key, type }) => ({
        module_id: key,
        display_name: key,
        graded: true,
        short_label: "x",
        assignment_type: type,
      })),
      grade_cutoffs: { Pass: PASS },
      grades_frozen: false,
    });
  }

  function gradebook(asked: Asked, course: AcademyCourse): Reply {
    const only = asked.url.searchParams.get("username");
    const rows = membersOf(course)
      .filter(([user, member]) => member.isActive && !fake.uncomputable.has(user.username))
      .filter(([user]) => only === null || user.username === only);
    const { items, next } = pageOf(asked, rows);
    return ok({
      next,
      previous: null,
      total_users_count: rows.length,
      filtered_users_count: rows.length,
      results: items.map(([user, member]) => ({
        user_id: user.id,
        username: user.username,
        email: "",
        full_name: "",
        percent: totalOf(course, member),
        section_breakdown: course.subsections.map(({ key, type, possible }) => {
          const score = member.scores.get(key);
          return {
            attempted: score !== undefined,
            category: type,
            module_id: key,
            percent: 0,
            score_earned: score ?? 0,
            score_possible: score === undefined ? 0 : possible,
            subsection_name: key,
          };
        }),
      })),
    });
  }

  function subsection(usage: string): Reply {
    for (const course of academy.courses.values()) {
      const found = course.subsections.find(({ key }) => key === usage);
      if (found) {
        return ok({
          original_grade: { earned_graded: 0, possible_graded: found.possible, possible_all: found.possible },
        });
      }
    }
    return refuse(404, "not_found");
  }

  function enrollments(asked: Asked): Reply {
    const key = asked.url.searchParams.get("course_id") ?? "";
    const only = asked.url.searchParams.get("username")?.split(",");
    const course = academy.courses.get(key);
    if (!course) return refuse(404, "not_found");
    const rows = membersOf(course).filter(([user]) => !only || only.includes(user.username));
    const { items, next } = pageOf(asked, rows);
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

  function accounts(asked: Asked): Reply {
    const names = asked.url.searchParams.get("username")?.split(",");
    const id = asked.url.searchParams.get("lms_user_id");
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
      users.map((user) => ({
        id: user.id,
        username: user.username,
        email: user.email,
        name: user.name,
        verified_name: user.verifiedName,
        is_active: user.isActive,
        language_proficiencies: [],
      })),
    );
  }

  function completions(asked: Asked, key: string, course: AcademyCourse): Reply {
    const only = asked.url.searchParams.get("username");
    const rows = membersOf(course).filter(([user]) => only === null || user.username === only);
    const { items, next } = pageOf(asked, rows);
    return ok({
      pagination: { next, previous: null, count: rows.length, num_pages: 1 },
      results: items.map(([user, member]) => ({
        username: user.username,
        course_key: key,
        completion: { earned: 1, possible: 1, percent: member.completion },
      })),
    });
  }

  function paths(asked: Asked): Reply {
    const { items, next } = pageOf(asked, [...academy.paths], 10);
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

  function membersOf(course: AcademyCourse) {
    return [...course.members].flatMap(([id, member]) => {
      const user = academy.users.get(id);
      return user ? ([[user, member]] as [AcademyUser, typeof member][]) : [];
    });
  }

  function pageOf<T>(asked: Asked, items: readonly T[], size = fake.pageSize) {
    const start = Number(asked.url.searchParams.get("cursor") ?? 0);
    const next = new URL(asked.url);
    next.searchParams.set("cursor", String(start + size));
    return { items: items.slice(start, start + size), next: start + size < items.length ? next.href : null };
  }
}

function ok(body: unknown): Reply {
  return { status: 200, body };
}

function refuse(status: number, error_code: string): Reply {
  return { status, body: { developer_message: "no", error_code } };
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
