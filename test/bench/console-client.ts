import { Agent, request } from "node:http";
import { openDatabase } from "../../src/db/database.js";
import { createSignInLink } from "../../src/sessions/sign-in-link.js";
import type { Stage } from "./stage.js";

/** Calls methods as the console's pages do: by the console's door, with a session's cookie. */
export interface ConsoleClient {
  /** @param method such as `CredentialService/SearchCredentials` */
  call<Response>(method: string, message: object): Promise<Response>;
}

const AS_A_PAGE = { "content-type": "application/json", "sec-fetch-site": "same-origin" };

/** Signs somebody in. */
export async function signIn(stage: Stage, port: number, username = "rita"): Promise<ConsoleClient> {
  const database = openDatabase(stage.databaseUrl);
  const link = await createSignInLink(database.knex, "https://credentials.test", {
    username,
    roles: [],
    organisations: [],
    lifetimeS: 60,
  });
  await database.close();
  const agent = new Agent({ keepAlive: true });
  stage.defer(async () => agent.destroy());

  function post(path: string, message: object, headers: Record<string, string>) {
    return new Promise<{ text: string; cookie: string }>((resolve, reject) => {
      const sent = request({ port, agent, path, method: "POST", headers: { ...AS_A_PAGE, ...headers } });
      sent.on("error", reject).on("response", (response) => {
        const chunks: Buffer[] = [];
        response
          .on("data", (chunk: Buffer) => chunks.push(chunk))
          .on("end", () => {
            const text = Buffer.concat(chunks).toString();
            const [cookie = ""] = response.headers["set-cookie"] ?? [];
            if ((response.statusCode ?? 0) < 300)
              resolve({ text, cookie: cookie.split(";", 1)[0] as string });
            else reject(new Error(`${path} was answered with ${response.statusCode}: ${text}`));
          });
      });
      sent.end(JSON.stringify(message));
    });
  }
  const { cookie } = await post("/console/session", { secret: link.split("#sign-in=")[1] }, {});
  return {
    async call(method, message) {
      const { text } = await post(`/console/rpc/learning_credentials.v1.${method}`, message, { cookie });
      return JSON.parse(text);
    },
  };
}
