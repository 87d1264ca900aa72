import { COURSE_KEY } from "../big-course.js";
import { callersIn, fillBigCourse } from "../callers.js";
import type { Figure } from "../figure.js";
import { httpLoad } from "../http-load.js";
import { startBaseline } from "../program.js";
import { startService } from "../service.js";

export const configured: Figure = {
  name: "configured",
  subject: "configured route: enrolled learners, JWT HS256",
  baseline: "bare node:http answering a fixed JSON of 200 bytes",
  unit: "requests/s",
  reach: 0.4,

  async prepare(stage) {
    const shared = await stage.sharing("big_course", fillBigCourse);
    const callers = await callersIn(shared);
    const service = await startService(shared, "server");
    const bare = await startBaseline(shared, "bare-http.ts");
    const path = `/api/learning_credentials/v1/configured/${COURSE_KEY}/`;
    const load = httpLoad(
      shared,
      callers.map(({ headers }) => ({ path, headers })),
    );
    return {
      subject: () => load.rate({ ...service, port: service.httpPort }, [200]),
      baseline: () => load.rate(bare, [200]),
    };
  },
};
