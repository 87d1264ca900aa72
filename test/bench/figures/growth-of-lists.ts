import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { CredentialStatus } from "../../../gen/learning_credentials/v1/credential_pb.js";
import {
  ListCredentialsRequestSchema,
  ListCredentialsResponseSchema,
} from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import { academyOf, FEW, LAST_COURSE_KEY, logarithmic } from "../academy.js";
import { perServersCpuSecond } from "../cpu.js";
import type { Figure } from "../figure.js";
import { createGrpcClient } from "../grpc-client.js";
import { startService, tokenOf } from "../service.js";
import type { Stage } from "../stage.js";

const LIST_CREDENTIALS = "/learning_credentials.v1.CredentialService/ListCredentials";
const MANY = 1_000_000;

type Filter = Pick<MessageInitShape<typeof ListCredentialsRequestSchema>, "learningContextKey" | "status">;

/** Compares the cost of a page of 100, for service and Postgres together, in the middle of a list and at its beginning. */
const deep = (name: string, of: string, filter: Filter): Figure => ({
  name,
  subject: `ListCredentials, ${of}: pages from the middle on`,
  baseline: "pages from the beginning on",
  unit: "pages/CPU s",
  reach: logarithmic(MANY),

  async prepare(stage) {
    const academy = await academyOf(stage, MANY);
    const list = await openList(stage, academy, filter);
    const middle = await list.tokenOfMiddle();
    return {
      subject: () => list.pagesPerCpuSecond(middle),
      baseline: () => list.pagesPerCpuSecond(""),
    };
  },
});

/** Compares the cost of finding a few rows among many, and among fewer. */
const rare = (name: string, of: string, filter: Filter): Figure => ({
  name,
  subject: `ListCredentials, ${of} among ${MANY.toLocaleString("en-US")}`,
  baseline: `among ${FEW.toLocaleString("en-US")}`,
  unit: "pages/CPU s",
  reach: logarithmic(MANY),

  async prepare(stage) {
    const side = async (credentials: number) => {
      const list = await openList(stage, await academyOf(stage, credentials), filter);
      return () => list.pagesPerCpuSecond("");
    };
    return { subject: await side(MANY), baseline: await side(FEW) };
  },
});

export const growthOfLists: readonly Figure[] = [
  deep("list-deep", "1,000,000 credentials", {}),
  deep("list-deep-of-course", "100,000 of one course among 1,000,000", {
    learningContextKey: LAST_COURSE_KEY,
  }),
  rare("list-of-course", "those of one course in ten", { learningContextKey: LAST_COURSE_KEY }),
  rare("list-failed", "100 that failed", { status: CredentialStatus.ERROR }),
  rare("list-failed-of-course", "10 of one course that failed", {
    learningContextKey: LAST_COURSE_KEY,
    status: CredentialStatus.ERROR,
  }),
];

/** Reads the list over native gRPC. */
async function openList(stage: Stage, academy: Stage, filter: Filter) {
  const { grpcPort, pid } = await startService(academy);
  const client = createGrpcClient(grpcPort, await tokenOf("lms", true));
  stage.defer(client.close);
  const pages = stage.isShort ? 30 : 200;

  async function readPage(pageToken: string) {
    const request = create(ListCredentialsRequestSchema, { ...filter, pageToken });
    // On the wire, a unary call is a stream of one message.
    const message = Buffer.from(toBinary(ListCredentialsRequestSchema, request));
    return fromBinary(ListCredentialsResponseSchema, await client.sendAll(LIST_CREDENTIALS, [message]));
  }
  return {
    /** Reads page after page from a token on, and starts there again at the end of the list. */
    pagesPerCpuSecond: (from: string) =>
      perServersCpuSecond(academy, pid, pages, async () => {
        for (let read = 0, token = from; read < pages; read++) {
          const { credentials, nextPageToken } = await readPage(token);
          if (credentials.length === 0) throw new Error("The list is empty.");
          token = nextPageToken || from;
        }
      }),
    /** Makes a token for the middle from that of the second page, because reading thousands of pages takes long. */
    async tokenOfMiddle(): Promise<string> {
      const { rows } = await academy.sql.query<{ id: number }>(
        `select id::int from credentials where $1 in ('', learning_context_key) order by id
         offset (select count(*) / 2 from credentials where $1 in ('', learning_context_key)) limit 1`,
        [filter.learningContextKey ?? ""],
      );
      const { nextPageToken } = await readPage("");
      // The token ends with the last id of the page.
      return nextPageToken.replace(/[^.]+$/, (rows[0]?.id ?? 0).toString(36));
    },
  };
}
