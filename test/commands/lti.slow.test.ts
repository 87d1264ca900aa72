import { expect, it, vi } from "vitest";
import { startFakePlatform } from "../lti/fake-platform.js";
import { LTI_SETTINGS, launch } from "../lti/lti-service.js";
import { givenService } from "../support/service.js";
import { type Ended, ended, startOn } from "./run-command.js";

/** Each command is a process of its own. */
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const service = givenService({ settings: LTI_SETTINGS });

function run(args: readonly string[], settings: Record<string, string> = LTI_SETTINGS): Promise<Ended> {
  const { config, database } = service.app;
  return ended(
    startOn({ DATABASE_URL: database.url, DATA_DIR: config.dataDir, ...settings }, ["lti", ...args]),
  );
}

it("a platform is registered, accepted, read, refused and removed", async () => {
  const platform = await startFakePlatform();
  platform.setToolKeys(`${service.httpUrl}/lti/jwks`);
  const { issuer, clientId, authorizationUrl, tokenUrl, jwksUrl } = platform;
  const own = ["--client-id", clientId, "--auth-url", authorizationUrl, "--token-url", tokenUrl];
  const registered = await run(["register", issuer, ...own, "--jwks-url", jwksUrl, "--name", "School"]);
  expect(registered).toEqual({ code: 0, out: "1\n", err: "" });
  expect((await run(["accept", "1", "--organisation", "Uni"])).err).toContain("--teachers");
  const accepted = await run(["accept", "1", "--organisation", "Uni", "--teachers", "none"]);
  expect(accepted.out).toBe("accepted 1\n");
  expect((await run(["accept-deployment", "1", "5"])).out).toBe("accepted 5 of 1\n");
  expect((await run(["list"])).out).toBe(
    `1\taccepted\t${issuer}\t${clientId}\tSchool\t${authorizationUrl}\t${tokenUrl}\t${jwksUrl}\torganisations Uni\tteachers none\n` +
      `  accepted\t5\t${platform.url}\n`,
  );
  platform.members.set("2", [{ user_id: "7", name: "Ana", roles: ["Learner"] }]);
  expect((await run(["sync", "1"])).out).toContain("nobody was launched");
  expect((await launch(service, platform)).response.status).toBe(200);
  expect((await run(["sync", "1"])).out).toMatch(/^course-v1:Uni\+AST101\+\w{12}\tpages 1\tlearners 1\t/);
  expect((await run(["refuse", "1"])).out).toBe("refused 1\n");
  await expect(launch(service, platform)).rejects.toThrow(/refused by an administrator/);
  expect((await run(["remove", "1", "--yes"])).out).toBe("removed 1\n");
  expect((await run(["refuse", "1"])).err).toContain("There is no platform 1.");
  await platform.close();
});

it("an invitation is printed, and a key is made, but only where LTI is set up", async () => {
  expect((await run(["invite"])).out).toMatch(
    /^https:\/\/credentials\.test\/lti\/register\?invitation=[\w-]+\n$/,
  );
  expect((await run(["rotate-key"])).out).toMatch(/^[\w-]{16}\n$/);
  const off = await run(["invite"], {});
  expect(off.code).not.toBe(0);
  expect(off.err).toContain("LTI is off: LTI_SECRET is not set.");
});
