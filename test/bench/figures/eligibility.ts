import { COURSE_KEY } from "../big-course.js";
import { callersIn, fillBigCourse } from "../callers.js";
import type { Figure } from "../figure.js";
import { httpLoad } from "../http-load.js";
import { startBaseline } from "../program.js";
import { startService } from "../service.js";

export const eligibility: Figure = {
  name: "eligibility",
  subject: "eligibility route: enrolled learners, 2 configurations, JWT HS256",
  baseline: "grades and credentials of one learner by one prepared statement in bare node:http",
  unit: "requests/s",
  reach: 0.7,

  async prepare(stage) {
    const shared = await stage.sharing("big_course", fillBigCourse);
    const callers = await callersIn(shared);
    const service = await startService(shared, "server");
    const bare = await startBaseline(shared, "http-with-query.ts");
    const requested = callers.map(({ username, headers }) => ({
      path: `/api/learning_credentials/v1/eligibility/${COURSE_KEY}/?username=${username}`,
      headers,
    }));
    const load = httpLoad(shared, requested);
    return {
      subject: () => load.rate({ ...service, port: service.httpPort }, [200]),
      baseline: () => load.rate(bare, [200]),
    };
  },
};
