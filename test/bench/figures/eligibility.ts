import { COURSE_KEY } from "../big-course.js";
import { prepareCallers } from "../callers.js";
import type { Figure } from "../figure.js";
import { httpLoad } from "../http-load.js";
import { startBaseline } from "../program.js";
import { startService } from "../service.js";

export const eligibility: Figure = {
  name: "eligibility",
  subject: "eligibility route: enrolled learners, 2 configurations, JWT HS256",
  baseline: "grades and credentials of one learner by one prepared statement in bare node:http",
  unit: "requests",
  reach: 0.7,

  async prepare(stage) {
    const callers = await prepareCallers(stage);
    const { httpPort } = await startService(stage, "server");
    const bare = await startBaseline(stage, "http-with-query.ts");
    const asked = callers.map(({ username, headers }) => ({
      path: `/api/learning_credentials/v1/eligibility/${COURSE_KEY}/?username=${username}`,
      headers,
    }));
    const load = httpLoad(stage, asked);
    return {
      subject: () => load(httpPort, [200]),
      baseline: () => load(bare.port, [200]),
    };
  },
};
