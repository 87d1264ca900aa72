import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { expect, onTestFinished, test, vi } from "vitest";
import { ClaimMode } from "#gen/learning_credentials/v1/configuration_pb.js";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { PREFIX } from "../../contract/exchange.js";
import { send } from "../../contract/raw-request.js";
import { startSmtpSink } from "../../email/smtp-sink.js";
import { COURSE, openAcademy } from "../../support/academy.js";
import { tokenOf } from "../../support/service.js";

const CLAIMS = 1000;

/** Opens a course whose credential can be claimed. */
async function openToClaims(options?: Parameters<typeof openAcademy>[0]) {
  const academy = await openAcademy(options);
  onTestFinished(() => academy.service.stop());
  const { configurations, configurationId } = academy;
  const { credentialTypeId } = await configurations.updateCredentialConfiguration({
    credentialConfiguration: { id: configurationId, claim: ClaimMode.ALLOWED },
    updateMask: { paths: ["claim"] },
  });
  return { ...academy, credentialTypeId };
}

/** Responses of an overloaded service. The claim is then repeated. */
const BUSY: readonly unknown[] = [503, "ResourceExhausted", "Unavailable"];
const HELD: readonly unknown[] = [409, "AlreadyExists"];

/**
 * Claims for all these learners at once, alternating between gRPC and REST. Returns the results, except those that
 * report that the learner already has the credential.
 */
async function claimAll(
  { service, credentialTypeId }: Awaited<ReturnType<typeof openToClaims>>,
  usernames: readonly string[],
): Promise<unknown[]> {
  const { httpUrl, grpcAddress } = service;
  const transport = createGrpcTransport({ baseUrl: `http://${grpcAddress}` });
  const overGrpc = createClient(CredentialService, transport);
  const tokens = new Map<string, string>();
  for (const username of new Set(usernames)) tokens.set(username, await tokenOf({ username }));

  async function claim(username: string, index: number): Promise<unknown> {
    const headers = { authorization: `Bearer ${tokens.get(username)}` };
    if (index % 2 === 1) {
      const target = `${PREFIX}eligibility/${COURSE}/${credentialTypeId}/`;
      return (await send(httpUrl, { method: "POST", target, headers })).status;
    }
    return overGrpc.claimCredential({ learningContextKey: COURSE, credentialTypeId }, { headers }).then(
      () => 201,
      (error) => Code[ConnectError.from(error).code],
    );
  }

  const results: unknown[] = [];
  for (let claimants = usernames; claimants.length > 0; ) {
    const round = await Promise.all(claimants.map(claim));
    results.push(...round.filter((result) => !BUSY.includes(result) && !HELD.includes(result)));
    claimants = claimants.filter((_, index) => BUSY.includes(round[index]));
  }
  return results;
}

test("1,000 simultaneous claims of one learner create one credential and send one email", async () => {
  const sink = await startSmtpSink();
  const academy = await openToClaims({
    worker: true,
    settings: { SMTP_URL: `smtp://127.0.0.1:${sink.port}`, MAIL_FROM: "Registry <registry@academy.test>" },
  });
  await academy.enrol("ana");
  await academy.report({
    case: "learner",
    value: { username: "ana", fullName: "Ana", email: "ana@uni.test" },
  });
  const results = await claimAll(
    academy,
    Array.from({ length: CLAIMS }, () => "ana"),
  );
  expect(results).toEqual([201]);
  const { knex } = academy.service.app.database;
  await vi.waitFor(async () => expect(await knex("jobs")).toEqual([]), { timeout: 60_000, interval: 50 });
  const { credentials } = await academy.credentials.listCredentials({ username: "ana" });
  expect(credentials.map(({ status }) => status)).toEqual([CredentialStatus.AVAILABLE]);
  const { emails } = await academy.credentials.listEmails({ username: "ana" });
  expect(emails).toHaveLength(1);
  expect(sink.received.map(({ to }) => to)).toEqual([["ana@uni.test"]]);
});

test("1,000 learners who claim simultaneously get one each", async () => {
  const academy = await openToClaims();
  const usernames = Array.from({ length: CLAIMS }, (_, index) => `learner-${index}`);
  for (let first = 0; first < CLAIMS; first += 100) {
    await academy.enrol(...usernames.slice(first, first + 100));
  }
  expect(new Set(await claimAll(academy, usernames))).toEqual(new Set([201]));
  const rows = await academy.service.app.database.knex("credentials").select("username");
  expect(rows.map(({ username }) => username).sort()).toEqual(usernames.toSorted());
});
