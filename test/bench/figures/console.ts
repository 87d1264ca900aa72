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
import { percentile } from "../open-loop.js";
import { startService, tokenOf } from "../service.js";
import type { Stage } from "../stage.js";
import { consoleInterference } from "./console-interference.js";
import { consolePlan } from "./console-plan.js";

const SEARCH_CREDENTIALS = "/learning_credentials.v1.CredentialService/SearchCredentials";
const MANY = 1_000_000;

/** What a call may take, so that a list follows the keys. */
const BUDGET_MS = 50;

type Search = Pick<MessageInitShape<typeof SearchCredentialsRequestSchema>, "query" | "filter">;

/**
 * What a registrar types: a word that all have, one that one in a hundred has, two words that some hundred learners
 * have, one that a single learner has, and one that nobody has. Of two sizes, each finds as many rows in either.
 */
function typedAmong(credentials: number): readonly Search[] {
  const digits = String(credentials / 10 - 1).length; // of the last learner's number
  return [
    { query: "lear" },
    { query: "77" },
    { query: `number ${"7".repeat(digits - 2)}` },
    { query: "7".repeat(digits) },
    { query: "zzyzx" },
    { query: "lear", filter: { learningContextKey: LAST_COURSE_KEY, standings: [CredentialStanding.VALID] } },
  ];
}

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
        const typed = typedAmong(sizeOf(stage, credentials));
        return () => search.perCpuSecond(typed);
      };
      return { subject: await side(MANY), baseline: await side(few(stage)) };
    },
  },
  {
    name: "console-search-p95",
    subject: "the same searches, one after the other, among 1,000,000 credentials: 95th percentile",
    baseline: "among 10,000",
    unit: "ms",
    reach: { usually: BUDGET_MS },

    async prepare(stage) {
      const side = async (credentials: number) => {
        const search = await openSearch(stage, await academyOf(stage, credentials));
        const typed = typedAmong(sizeOf(stage, credentials));
        return () => search.slowest(typed);
      };
      return { subject: await side(MANY), baseline: await side(few(stage)) };
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
  {
    name: "console-list-p95",
    subject: "pages from the 500th on, of 1,000,000 credentials: 95th percentile",
    baseline: "pages from the first on",
    unit: "ms",
    reach: { usually: BUDGET_MS },

    async prepare(stage) {
      const search = await openSearch(stage, await academyOf(stage, MANY));
      const deep = await search.tokenOfPage(stage.isShort ? 50 : 500);
      return { subject: () => search.slowestPage(deep), baseline: () => search.slowestPage("") };
    },
  },
  consolePlan,
  consoleInterference,
];

/**
 * The smaller side has more rows than a search reads at least. The short form has a tenth of every number, but not of
 * that one.
 */
function few({ isShort }: Stage): number {
  return isShort ? 10 * FEW : FEW;
}

/** How many credentials the academy has that is asked for with this number. */
function sizeOf({ isShort }: Stage, credentials: number): number {
  return isShort ? credentials / 10 : credentials;
}

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
  /** Calls one after the other. @returns how many milliseconds each took */
  async function searchEach(typed: readonly Search[]): Promise<number[]> {
    const took: number[] = [];
    for (let call = 0; call < calls; call++) {
      const started = performance.now();
      await search(typed[call % typed.length] as Search);
      took.push(performance.now() - started);
    }
    return took;
  }
  /** Reads page after page from a token on. */
  async function readPages(from: string): Promise<number[]> {
    const took: number[] = [];
    for (let pageToken = from; took.length < calls; ) {
      const started = performance.now();
      const { credentials, nextPageToken } = await search({ pageToken });
      took.push(performance.now() - started);
      if (credentials.length === 0) throw new Error("The list is empty.");
      pageToken = nextPageToken || from;
    }
    return took;
  }
  return {
    perCpuSecond: (typed: readonly Search[]) =>
      perServersCpuSecond(academy, pid, calls, () => searchEach(typed)),
    pagesPerCpuSecond: (from: string) => perServersCpuSecond(academy, pid, calls, () => readPages(from)),
    slowest: async (typed: readonly Search[]) => percentile(await searchEach(typed), 0.95),
    slowestPage: async (from: string) => percentile(await readPages(from), 0.95),
    async tokenOfPage(number: number): Promise<string> {
      let pageToken = "";
      for (let page = 1; page < number; page++) ({ nextPageToken: pageToken } = await search({ pageToken }));
      return pageToken;
    },
  };
}
