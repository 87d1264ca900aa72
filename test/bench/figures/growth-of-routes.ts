import { academyOf, FEW, logarithmic } from "../academy.js";
import { COURSE_KEY } from "../big-course.js";
import { callersIn } from "../callers.js";
import { perServersCpuSecond } from "../cpu.js";
import { uuidsToVerify } from "../credentials.js";
import type { Figure } from "../figure.js";
import { httpLoad } from "../http-load.js";
import type { HttpRequest } from "../load/http.js";
import { startService } from "../service.js";
import type { Stage } from "../stage.js";

const ROUTES = "/api/learning_credentials/v1";

const routes: Record<string, (academy: Stage) => Promise<HttpRequest[]>> = {
  async metadata(academy) {
    return (await uuidsToVerify(academy)).map((uuid) => ({ path: `${ROUTES}/metadata/${uuid}/` }));
  },
  async configured(academy) {
    const path = `${ROUTES}/configured/${COURSE_KEY}/`;
    return (await callersIn(academy)).map(({ headers }) => ({ path, headers }));
  },
  async eligibility(academy) {
    const path = `${ROUTES}/eligibility/${COURSE_KEY}/`;
    return (await callersIn(academy)).map(({ headers }) => ({ path, headers }));
  },
};

/** Compares the cost of a response, for service and Postgres together, among many credentials and among few. */
export const growthOfRoutes: readonly Figure[] = [100_000, 1_000_000].flatMap((credentials) =>
  Object.entries(routes).map(([route, requestsIn]) => ({
    name: `${route}-of-${credentials}`,
    subject: `${route} route, ${credentials.toLocaleString("en-US")} credentials`,
    baseline: `${FEW.toLocaleString("en-US")} credentials`,
    unit: "requests/CPU s",
    reach: logarithmic(credentials),

    async prepare(stage) {
      const answers = stage.isShort ? 1000 : 8000;
      const side = async (credentials: number) => {
        const academy = await academyOf(stage, credentials);
        const service = await startService(academy, "server");
        const load = httpLoad(academy, await requestsIn(academy));
        const ask = () => load.ask(service.httpPort, [200, 404], answers);
        return () => perServersCpuSecond(academy, service.pid, answers, ask);
      };
      return { subject: await side(credentials), baseline: await side(FEW) };
    },
  })),
);
