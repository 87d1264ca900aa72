import { REQUIRED_FUNCTIONS as needed } from "#domain/connectors/moodle/moodle-api.js";
import { CLIENT_SECRET } from "./fake-open-edx.js";
import {
  escapeHtml,
  type FaultyServer,
  ok,
  type ReceivedRequest,
  type Reply,
  startFaultyServer,
} from "./faulty-server.js";
import { type PlatformCourse, type PlatformData, totalOf } from "./platform-data.js";

export interface FakeMoodle extends FaultyServer {
  /** Capabilities that the service's user lacks. */
  readonly lacking: Set<string>;
  /** Functions that the service lacks. */
  readonly without: Set<string>;
  /** Courses with separate groups, by id. */
  readonly separate: Set<number>;
  /** Languages of learners, by id. Default: a language that the site doesn't have */
  readonly languages: Map<number, string>;
  /** Accounts that were never confirmed. */
  readonly unconfirmed: Set<number>;
  /** Accounts that are teachers in each of their courses. */
  readonly teachers: Set<number>;
  /** Accounts that the service's user may not see. Moodle omits them from pages. */
  readonly unseen: Set<number>;
}

/**
 * A Moodle that behaves like these sources of moodle/moodle (file, class or function, commit). Every response has the
 * status 200.
 * - course/externallib.php core_course_external::get_courses, 004e88ee
 * - enrol/externallib.php core_enrol_external::get_enrolled_users, 00e93a99; user/lib.php user_get_user_details,
 *   0030a24f: Responses lack `suspended`, because their description in Moodle lacks it.
 * - user/externallib.php core_user_external::get_users_by_field, 006fac90
 * - grade/report/user/classes/external/user.php gradereport_user::get_grade_items, 10de3293, and lib/classes/user.php
 *   core_user::require_active_user, 00e93a99
 * - enrol/externallib.php core_enrol_external::get_users_courses and get_enrolled_users_with_capability, and
 *   completion/classes/external.php core_completion_external::get_course_completion_status, of the site whose recorded
 *   answers are in moodle-answers.json
 */
export async function startFakeMoodle(
  academy: PlatformData,
  hidden: ReadonlySet<number>,
): Promise<FakeMoodle> {
  const switches = {
    lacking: new Set<string>(),
    without: new Set<string>(),
    separate: new Set<number>(),
    languages: new Map<number, string>(),
    unconfirmed: new Set<number>(),
    teachers: new Set<number>(),
    unseen: new Set<number>(),
  };
  const { lacking } = switches;
  const server = await startFaultyServer(({ form, url }: ReceivedRequest): Reply => {
    if (url.pathname !== "/webservice/rest/server.php" || url.search !== "")
      return { status: 404, body: "<html>" };
    if (form.get("wstoken") !== CLIENT_SECRET) return exception("invalidtoken");
    const course = [...academy.courses.values()].find(({ id }) => String(id) === form.get("courseid"));
    if (switches.without.has(form.get("wsfunction") ?? "")) return exception("accessexception");
    switch (form.get("wsfunction")) {
      case "core_webservice_get_site_info":
        return ok({
          userid: SERVICE_ACCOUNT,
          release: "4.5.6 (Build: 20250811)",
          userissiteadmin: false,
          functions: FUNCTIONS.filter((name) => !switches.without.has(name)).map((name) => ({ name })),
        });
      case "core_enrol_get_enrolled_users_with_capability":
        return holders(form);
      case "core_course_get_courses":
        if (lacking.has("moodle/course:view")) return exception("nopermissions");
        return ok([
          { id: 1, shortname: "site", fullname: "The site" },
          ...[...academy.courses].map(([key, { id, name, shortName }]) => ({
            id,
            shortname: escapeHtml(shortName ?? key.split("+")[1] ?? ""),
            fullname: escapeHtml(name),
            displayname: escapeHtml(`${key.split("+")[1]} ${name}`),
          })),
        ]);
      case "core_user_get_users_by_field":
        return accounts(form);
      case "core_enrol_get_enrolled_users":
        return course ? enrolled(course, form) : exception("invalidrecord");
      case "gradereport_user_get_grade_items":
        return course ? grades(course, form) : exception("invalidrecord");
      case "core_enrol_get_users_courses":
        return coursesOf(Number(form.get("userid")));
      case "core_completion_get_course_completion_status":
        return course ? verdict(course, Number(form.get("userid"))) : exception("invalidrecord");
      default:
        return exception("accessexception");
    }
  });
  return Object.assign(server, switches);

  function accounts(form: URLSearchParams): Reply {
    const ids = [...form].filter(([key]) => key.startsWith("values[")).map(([, id]) => Number(id));
    const isHidden = lacking.has("moodle/user:viewhiddendetails");
    return ok(
      ids
        .filter((id) => academy.users.has(id) && !switches.unseen.has(id))
        .map((id) => ({
          id,
          fullname: academy.users.get(id)?.name,
          ...(!isHidden && { suspended: !academy.users.get(id)?.isActive }),
          confirmed: !switches.unconfirmed.has(id),
          ...(!lacking.has("moodle/user:viewalldetails") && { lang: switches.languages.get(id) ?? "" }),
        })),
    );
  }

  function enrolled(course: PlatformCourse, form: URLSearchParams): Reply {
    if (lacking.has("moodle/course:viewparticipants")) return exception("nopermissions");
    if (lacking.has("moodle/user:viewdetails")) return ok([]);
    if (lacking.has(ALL_GROUPS) && switches.separate.has(course.id)) return ok([]);
    const options = new Map<string, string>();
    for (let index = 0; form.has(`options[${index}][name]`); index++) {
      options.set(form.get(`options[${index}][name]`) ?? "", form.get(`options[${index}][value]`) ?? "");
    }
    const from = Number(options.get("limitfrom") ?? 0);
    const count = Number(options.get("limitnumber") ?? Number.MAX_SAFE_INTEGER);
    const listed = [...course.members]
      .filter(
        ([id, { isActive }]) => academy.users.has(id) && (options.get("onlyactive") !== "1" || isActive),
      )
      .sort(([a], [b]) => a - b)
      .slice(from, from + count)
      .filter(([id]) => !switches.unseen.has(id));
    const isShort = options.get("userfields") === "id";
    return ok(
      listed.map(([id]) => {
        const user = academy.users.get(id);
        if (isShort) return { id, fullname: user?.name };
        const shortname = switches.teachers.has(id) ? "editingteacher" : "student";
        return {
          id,
          ...(!lacking.has("moodle/user:viewalldetails") && { username: user?.username }),
          fullname: user?.name,
          lastname: user?.name.split(" ").at(-1),
          ...(!lacking.has("moodle/course:useremail") && { email: user?.email }),
          roles: [{ roleid: 5, name: "", shortname, sortorder: 5 }],
        };
      }),
    );
  }

  /** Returns the users with a capability on the front page: only the service's user. Refuses an unknown capability. */
  function holders(form: URLSearchParams): Reply {
    if (lacking.has("moodle/role:review")) return exception("nopermissions");
    const received = [...form].filter(([key]) => key.startsWith("coursecapabilities[0][capabilities]"));
    const users = (capability: string) => (lacking.has(capability) ? [] : [{ id: SERVICE_ACCOUNT }]);
    return ok(received.map(([, capability]) => ({ courseid: 1, capability, users: users(capability) })));
  }

  /** Returns the courses in which a learner is active. Omits courses that are hidden from learners. */
  function coursesOf(userid: number): Reply {
    const isSeen = !lacking.has("report/completion:view");
    return ok(
      [...academy.courses.values()]
        .filter(({ isHidden, members }) => !isHidden && members.get(userid)?.isActive)
        .map(({ id, members }) => {
          const done = members.get(userid)?.completion ?? 0;
          return {
            id,
            enablecompletion: true,
            completionhascriteria: isSeen,
            completionusertracked: isSeen,
            progress: isSeen ? done * 100 : null,
            completed: isSeen ? done === 1 : null,
          };
        }),
    );
  }

  function verdict({ members }: PlatformCourse, userid: number): Reply {
    if (lacking.has("report/completion:view")) return exception("cannotviewreport");
    const member = members.get(userid);
    if (!member) return exception("usernotenroled");
    return ok({ completionstatus: { completed: member.completion === 1, aggregation: 1, completions: [] } });
  }

  function grades(course: PlatformCourse, form: URLSearchParams): Reply {
    const userid = Number(form.get("userid"));
    if (lacking.has("moodle/grade:viewall")) return exception("nopermissions");
    if (userid !== 0 && !academy.users.has(userid)) return exception("userdeleted");
    if (switches.unconfirmed.has(userid)) return exception("usernotconfirmed");
    if (lacking.has(ALL_GROUPS) && switches.separate.has(course.id)) return exception("notingroup");
    const rows = [...course.members].filter(([id, { isActive }]) =>
      userid === 0 ? isActive && academy.users.has(id) : id === userid,
    );
    return ok({
      warnings: [],
      usergrades: rows.map(([id, member]) => ({
        courseid: course.id,
        userid: id,
        userfullname: academy.users.get(id)?.name,
        gradeitems: [
          { itemtype: "mod", itemname: "Quiz", graderaw: 3, grademin: 0, grademax: 10 },
          {
            itemtype: "course",
            itemname: null,
            ...(!hidden.has(id) && { graderaw: totalOf(course, member) * 100 - 10 }),
            grademin: -10,
            grademax: 90,
          },
        ],
      })),
    });
  }
}

const SERVICE_ACCOUNT = 900_000;

const ALL_GROUPS = "moodle/site:accessallgroups";

/** The functions that a web service for the connector has. */
export const FUNCTIONS = needed.map(({ name }) => name);

export function exception(errorcode: string): Reply {
  return { status: 200, body: { exception: "moodle_exception", errorcode, message: "about learner1" } };
}
