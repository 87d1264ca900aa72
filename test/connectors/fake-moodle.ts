import { type Academy, type AcademyCourse, totalOf } from "./academy.js";
import { CLIENT_SECRET } from "./fake-open-edx.js";
import { type Asked, type FaultyServer, type Reply, startFaultyServer } from "./faulty-server.js";

/** A Moodle with the shapes of its web services. Every answer has the status 200. */
export async function startFakeMoodle(academy: Academy, hidden: ReadonlySet<number>): Promise<FaultyServer> {
  return startFaultyServer(({ form, url }: Asked): Reply => {
    if (url.pathname !== "/webservice/rest/server.php" || url.search !== "")
      return { status: 404, body: "<html>" };
    if (form.get("wstoken") !== CLIENT_SECRET) return exception("invalidtoken");
    const course = [...academy.courses.values()].find(({ id }) => String(id) === form.get("courseid"));
    switch (form.get("wsfunction")) {
      case "core_course_get_courses":
        return ok([
          { id: 1, shortname: "site", fullname: "The site" },
          ...[...academy.courses].map(([key, { id, name }]) => ({
            id,
            shortname: key.split("+")[1],
            fullname: name,
            displayname: name,
          })),
        ]);
      case "core_enrol_get_enrolled_users":
        return course ? enrolled(course, form) : exception("invalidrecord");
      case "gradereport_user_get_grade_items":
        return course ? grades(course, form) : exception("invalidrecord");
      case "core_completion_get_activities_completion_status":
        return course ? activities(course, form) : exception("invalidrecord");
      default:
        return exception("accessexception");
    }
  });

  function enrolled(course: AcademyCourse, form: URLSearchParams): Reply {
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
      .slice(from, from + count);
    const isShort = options.get("userfields") !== undefined;
    return ok(
      listed.map(([id]) => {
        const user = academy.users.get(id);
        if (isShort) return { id, fullname: user?.name };
        return {
          id,
          username: user?.username,
          fullname: user?.name,
          email: user?.email,
          suspended: !user?.isActive,
          roles: [{ shortname: "student" }],
        };
      }),
    );
  }

  /** Of a hundred tracked activities, as many are complete as percent; one is not tracked. */
  function activities(course: AcademyCourse, form: URLSearchParams): Reply {
    const member = course.members.get(Number(form.get("userid")));
    if (!member) return exception("usernotenroled");
    const done = Math.round(member.completion * 100);
    const tracked = Array.from({ length: 100 }, (_, index) => ({
      cmid: index,
      state: index >= done ? 0 : 1 + (index % 2),
      timecompleted: 0,
      tracking: 1,
    }));
    return ok({
      statuses: [...tracked, { cmid: 100, state: 1, timecompleted: 0, tracking: 0 }],
      warnings: [],
    });
  }

  function grades(course: AcademyCourse, form: URLSearchParams): Reply {
    const userid = Number(form.get("userid"));
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

export function exception(errorcode: string): Reply {
  return { status: 200, body: { exception: "moodle_exception", errorcode, message: "about learner1" } };
}

function ok(body: unknown): Reply {
  return { status: 200, body };
}
