import { COURSE_KEY } from "../big-course.js";
import { prepareCallers } from "../callers.js";
import type { Figure } from "../figure.js";
import { httpLoad } from "../http-load.js";
import { startBaseline } from "../program.js";
import { startService } from "../service.js";

export const configured: Figure = {
  name: "configured",
  subject: "configured route: enrolled learners, JWT HS256",
  baseline: "bare node:http answering a fixed JSON of 200 bytes",
  unit: "requests",
  reach: 0.25,

  async prepare(stage) {
    const callers = await prepareCallers(stage);
    const { httpPort } = await startService(stage, "server");
    const bare = await startBaseline(stage, "bare-http.ts");
    const path = `/api/learning_credentials/v1/configured/${COURSE_KEY}/`;
    const load = httpLoad(
      stage,
      callers.map(({ headers }) => ({ path, headers })),
    );
    return {
      subject: () => load(httpPort, [200]),
      baseline: () => load(bare.port, [200]),
    };
  },
};
