import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { CredentialStanding } from "../../../gen/learning_credentials/v1/credential_search_pb.js";
import {
  SearchCredentialsRequestSchema,
  SearchCredentialsResponseSchema,
} from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import { academyOf, FEW, LAST_COURSE_KEY, logarithmic } from "../academy.js";
import { perServersCpuSecond } from "../cpu.js";
import type { Figure } from "../figure.js";
import { createGrpcClient } from "../grpc-client.js";
import { startService, tokenOf } from "../service.js";
import type { Stage } from "../stage.js";

const SEARCH_CREDENTIALS = "/learning_credentials.v1.CredentialService/SearchCredentials";
const MANY = 1_000_000;

type Search = Pick<MessageInitShape<typeof SearchCredentialsRequestSchema>, "query" | "filter">;

/** What a registrar types: a word that all have, one that few have, two words, and one that nobody has. */
const typed: readonly Search[] = [
  { query: "lear" },
  { query: "777" },
  { query: "number 77" },
  { query: "zzyzx" },
  { query: "lear", filter: { learningContextKey: LAST_COURSE_KEY, standings: [CredentialStanding.VALID] } },
];

/** The figures of the console: what it calls on each key and each page. */
export const consoleFigures: readonly Figure[] = [
  {
    name: "console-search",
    subject: "SearchCredentials by words of names, common, rare and absent, among 1,000,000 credentials",
    baseline: "among 10,000",
    unit: "searches/CPU s",
    reach: logarithmic(MANY),

    async prepare(stage) {
      const side = async (credentials: number) => {
        const search = await openSearch(stage, await academyOf(stage, credentials));
        return () => search.typedPerCpuSecond();
      };
      return { subject: await side(MANY), baseline: await side(FEW) };
    },
  },
  {
    name: "console-list",
    subject: "SearchCredentials without a query, 1,000,000 credentials: pages from the 500th on",
    baseline: "pages from the first on",
    unit: "pages/CPU s",
    reach: logarithmic(MANY),

    async prepare(stage) {
      const search = await openSearch(stage, await academyOf(stage, MANY));
      const deep = await search.tokenOfPage(stage.isShort ? 50 : 500);
      return {
        subject: () => search.pagesPerCpuSecond(deep),
        baseline: () => search.pagesPerCpuSecond(""),
      };
    },
  },
];

/** Searches over native gRPC. */
async function openSearch(stage: Stage, academy: Stage) {
  const { grpcPort, pid } = await startService(academy);
  const client = createGrpcClient(grpcPort, await tokenOf("lms", true));
  stage.defer(client.close);
  const calls = stage.isShort ? 30 : 200;

  async function search(asked: Search & { readonly pageToken?: string }) {
    const request = create(SearchCredentialsRequestSchema, asked);
    const message = Buffer.from(toBinary(SearchCredentialsRequestSchema, request));
    return fromBinary(SearchCredentialsResponseSchema, await client.sendAll(SEARCH_CREDENTIALS, [message]));
  }
  return {
    typedPerCpuSecond: () =>
      perServersCpuSecond(academy, pid, calls, async () => {
        for (let call = 0; call < calls; call++) await search(typed[call % typed.length] as Search);
      }),
    /** Reads page after page from a token on. */
    pagesPerCpuSecond: (from: string) =>
      perServersCpuSecond(academy, pid, calls, async () => {
        for (let read = 0, pageToken = from; read < calls; read++) {
          const { credentials, nextPageToken } = await search({ pageToken });
          if (credentials.length === 0) throw new Error("The list is empty.");
          pageToken = nextPageToken || from;
        }
      }),
    async tokenOfPage(number: number): Promise<string> {
      let pageToken = "";
      for (let page = 1; page < number; page++) ({ nextPageToken: pageToken } = await search({ pageToken }));
      return pageToken;
    },
  };
}
