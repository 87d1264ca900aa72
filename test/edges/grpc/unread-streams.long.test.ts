import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { create, toBinary } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { beforeAll, expect, test } from "vitest";
import {
  EligibilityService,
  ListEligibleLearnersRequestSchema,
} from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { loadAcademy } from "../../eligibility/academy.js";
import { givenService, tokenOf } from "../../support/service.js";

const COURSE = "course-v1:Uni+Crowd+1";
const POOL = 6;
const LIST = "/learning_credentials.v1.EligibilityService/ListEligibleLearners";

const service = givenService({ settings: { DATABASE_POOL_SIZE: String(POOL) } });
let staff: string;
let configurationId: number;
beforeAll(async () => {
  staff = await tokenOf({ username: "registrar", isStaff: true });
  const { knex } = service.app.database;
  [configurationId = 0] = await loadAcademy(service.app.database, {
    courses: [{ key: COURSE, isWithdrawn: false, policy: [] }],
    learners: [],
    credentials: [{ retrieval: "retrieve_completions", options: { required_completion: 0 } }],
  });
  // Enough rows, with names that are long enough, to fill the buffers between server and client.
  const names = "select lpad(i::text, 250, 'x') from generate_series(1, 90000) i";
  await knex.raw(
    `insert into learners select name, '', 'x', true, '', now(), false from (${names}) as it (name)`,
  );
  await knex.raw(`insert into enrollments select ?, name, true, now(), false from (${names}) as it (name)`, [
    COURSE,
  ]);
});

const used = () => service.app.database.knex.client.pool.numUsed();

test("clients that stop reading lose their streams after a minute, and never hold all connections", async () => {
  const request = toBinary(
    ListEligibleLearnersRequestSchema,
    create(ListEligibleLearnersRequestSchema, { configurationId }),
  );
  const message = Buffer.concat([Buffer.from([0, 0, 0, 0, request.length]), request]);

  const session = connectHttp2(`http://${service.grpcAddress}`);
  const overGrpc = session.request({
    ":method": "POST",
    ":path": LIST,
    "content-type": "application/grpc",
    te: "trailers",
    authorization: `Bearer ${staff}`,
  });
  overGrpc.on("error", () => {}).end(message);
  overGrpc.pause();

  const socket = connect(Number(new URL(service.httpUrl).port), "127.0.0.1");
  socket.on("error", () => {}).pause();
  const head = [
    `POST ${LIST} HTTP/1.1`,
    "host: x",
    "content-type: application/connect+proto",
    "connect-protocol-version: 1",
    `authorization: Bearer ${staff}`,
    `content-length: ${message.length}`,
  ];
  socket.write(Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), message]));
  await expect.poll(used).toBe(2);

  const client = createClient(
    EligibilityService,
    createConnectTransport({ baseUrl: service.httpUrl, httpVersion: "1.1" }),
  );
  const headers = { authorization: `Bearer ${staff}` };
  const read = async () => {
    let count = 0;
    for await (const { learners } of client.listEligibleLearners({ configurationId }, { headers })) {
      count += learners.length;
    }
    return count;
  };
  expect(await read()).toBe(90_000);
  expect(used()).toBe(2);

  await expect.poll(used, { timeout: 70_000, interval: 500 }).toBe(0);
  const closed = once(socket, "close");
  socket.resume();
  await closed;
  expect(await read()).toBe(90_000);
  session.destroy();
});
