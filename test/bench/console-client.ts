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

/** Signs somebody in. @returns the session's cookie */
export async function signIn(stage: Stage, port: number, username = "rita"): Promise<string> {
  const database = openDatabase(stage.databaseUrl);
  const link = await createSignInLink(database.knex, "https://credentials.test", {
    username,
    roles: [],
    organisations: [],
    lifetimeS: 60,
  });
  await database.close();
  const secret = { secret: link.split("#sign-in=")[1] };
  const { cookie } = await post({ port, path: "/console/session" }, secret);
  return cookie;
}

/** The client of somebody who has signed in. Their connection ends with the program. */
export function consoleClient(port: number, cookie: string): ConsoleClient {
  const agent = new Agent({ keepAlive: true });
  return {
    async call(method, message) {
      const path = `/console/rpc/learning_credentials.v1.${method}`;
      const { text } = await post({ port, agent, path, headers: { cookie } }, message);
      return JSON.parse(text);
    },
  };
}

function post(
  { headers, ...to }: { port: number; agent?: Agent; path: string; headers?: Record<string, string> },
  message: object,
): Promise<{ text: string; cookie: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ ...to, method: "POST", headers: { ...AS_A_PAGE, ...headers } });
    sent.on("error", reject).on("response", (response) => {
      const chunks: Buffer[] = [];
      response
        .on("data", (chunk: Buffer) => chunks.push(chunk))
        .on("end", () => {
          const text = Buffer.concat(chunks).toString();
          const [cookie = ""] = response.headers["set-cookie"] ?? [];
          if ((response.statusCode ?? 0) < 300) resolve({ text, cookie: cookie.split(";", 1)[0] as string });
          else reject(new Error(`${to.path} was answered with ${response.statusCode}: ${text}`));
        });
    });
    sent.end(JSON.stringify(message));
  });
}
