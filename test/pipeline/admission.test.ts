import { Code } from "@connectrpc/connect";
import { pino } from "pino";
import { expect, test } from "vitest";
import type { Inbound } from "#api/pipeline/inbound.js";
import { createPipeline } from "#api/pipeline/pipeline.js";
import { Cancellation } from "#foundation/concurrency/cancellation.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import type { Caller } from "#infrastructure/identity/caller.js";

const MAX_PER_CLIENT = 500;
const ana: Caller = { kind: "user", username: "ana", isStaff: false, roles: [] };

test("the number of callers that wait for keys is bounded, and each client gets a share", async () => {
  const { listMyCredentials } = CredentialService.method;
  const handlers = Object.fromEntries(
    CredentialService.methods.map(({ localName }) => [localName, async () => ({})]),
  );
  let letIn: (caller: Caller) => void = () => {};
  const authenticated = new Promise<Caller>((resolve) => {
    letIn = resolve;
  });
  const pipeline = createPipeline({
    mounts: [{ service: CredentialService, handlers }],
    authenticate: () => authenticated,
    log: pino({ level: "silent" }),
  });
  const admit = async (client: string) => {
    const inbound: Inbound = {
      credentials: {},
      cancellation: new Cancellation(),
      requestId: "1",
      client,
      isLimited: true,
    };
    const call = await pipeline.admit(listMyCredentials, inbound);
    return call.holder.name;
  };
  const many = Array.from({ length: MAX_PER_CLIENT }, () => admit("192.0.2.1"));
  await expect(admit("192.0.2.1")).rejects.toMatchObject({ code: Code.ResourceExhausted });
  const another = admit("192.0.2.2");
  letIn(ana);
  expect(await another).toBe("user ana");
  expect(new Set(await Promise.all(many))).toEqual(new Set(["user ana"]));
});
