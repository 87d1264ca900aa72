import { beforeAll, describe, expect, test } from "vitest";
import { ClaimMode } from "#gen/learning_credentials/v1/configuration_pb.js";
import { offerCredential } from "../configurations/offer-credential.js";
import { COURSE, exam, givenAcademy } from "../support/academy.js";
import { given } from "../support/given.js";
import { enrolled } from "../support/records.js";
import { startTestService } from "../support/service.js";
import { type Credentials, learner, staff } from "./callers.js";
import { PREFIX } from "./exchange.js";
import { rowsOf } from "./plug-in-page.js";
import { send } from "./raw-request.js";

/**
 * Repeats the requests to the plug-in's branch for claims, open-craft/learning-credentials c72f9ac, over plain HTTP in
 * both shapes. The branch's responses are taken from its source and tests; the branch itself was not run.
 */
interface Case {
  readonly name: string;
  readonly method?: string;
  /**
   * Path below the prefix. `<course>`, `<path>`, `<type>` and similar names are replaced. `$name` is replaced by a
   * different name for each shape.
   */
  readonly path: string;
  readonly as: string;
  readonly body?: string;
  readonly branch: Answer;
  /**
   * First cell of the row in `.docs/coming-from-the-plug-in.md` that describes how this service differs from the
   * branch. `answer` is the response of this service.
   */
  readonly differs?: string;
  readonly answer?: Answer;
}

interface Answer {
  readonly status: number;
  /** The complete body. A text in `detail` is a prefix. Other members must be equal or match. */
  readonly body?: Readonly<Record<string, unknown>>;
}

const PATH = "path-v1:Uni+P1+2026+A";
const CLAIM = "eligibility/<course>/<type>/";
const started = { status: 201, body: { detail: "Credential generation started." } };
const held = { status: 409, body: { detail: "User already has a credential of this type." } };
const lacking = { status: 400, body: { detail: "User is not eligible for this credential." } };
const noCourse = { status: 404, body: { detail: "Course not found or user does not have access." } };
const noPath = { status: 404, body: { detail: "Learning path not found or user does not have access." } };
const badKey = { status: 400, body: { detail: "Invalid learning context key" } };
const anonymous = { status: 403, body: { detail: "Authentication credentials were not provided." } };
const notFound = { status: 404 };

const TEXTS = "error texts with status 400, and with 404 for an unknown type or learner";
const OTHERS = "whom a learner can claim for";
const ADDRESS = "GET of a claim's address, and POST without a type";
const NOT_A_TYPE = "a type that is 0 or not a number";
const BODY = "a body";

const claims: readonly Case[] = [
  { name: "without a token", path: CLAIM, as: "anonymous", branch: anonymous },
  { name: "an eligible learner", path: CLAIM, as: "$ready", branch: started },
  { name: "the same learner again", path: CLAIM, as: "$ready", branch: held },
  { name: "one whose credential is available", path: CLAIM, as: "$holder", branch: held },
  { name: "one whose credential is generating", path: CLAIM, as: "$waiting", branch: held },
  { name: "one whose credential failed", path: CLAIM, as: "$failed", branch: started },
  {
    name: "one who is not eligible",
    path: CLAIM,
    as: "$lacking",
    branch: lacking,
    differs: TEXTS,
    answer: { status: 400, body: { detail: "Learner $lacking is not eligible for " } },
  },
  {
    name: "one whose credential was withdrawn",
    path: CLAIM,
    as: "$withdrawn",
    branch: held,
    differs: "a withdrawn credential",
    answer: { status: 400 },
  },
  {
    name: "an unknown type",
    path: "eligibility/<course>/999/",
    as: "$other",
    branch: { status: 404, body: { detail: "Not found." } },
    differs: TEXTS,
    answer: { status: 404, body: { detail: "Credential type 999 is not configured for " } },
  },
  {
    name: "type 0",
    path: "eligibility/<course>/0/",
    as: "$other",
    branch: notFound,
    differs: NOT_A_TYPE,
    answer: { status: 400 },
  },
  {
    name: "a type that is not a number",
    path: "eligibility/<course>/x/",
    as: "$other",
    branch: notFound,
    differs: NOT_A_TYPE,
    answer: { status: 400 },
  },
  {
    name: "a type that can't be claimed",
    path: "eligibility/<course>/<closed>/",
    as: "$other",
    branch: started,
    differs: "which credentials can be claimed",
    answer: { status: 403 },
  },
  { name: "a course of others", path: CLAIM, as: "$outsider", branch: noCourse },
  { name: "a malformed key", path: "eligibility/invalid-key/1/", as: "$other", branch: badKey },
  { name: "a path", path: "eligibility/<path>/<of-path>/", as: "$pupil", branch: started },
  { name: "a path of others", path: "eligibility/<path>/<of-path>/", as: "$other", branch: noPath },
  { name: "staff for another learner", path: `${CLAIM}?username=$other`, as: "staff", branch: started },
  { name: "staff for one who has it", path: `${CLAIM}?username=$holder`, as: "staff", branch: held },
  {
    name: "staff for an unknown learner",
    path: `${CLAIM}?username=nobody`,
    as: "staff",
    branch: { status: 404, body: { detail: "Not found." } },
    differs: TEXTS,
    answer: { status: 404 },
  },
  {
    name: "staff for one who is not eligible",
    path: `${CLAIM}?username=$lacking`,
    as: "staff",
    branch: lacking,
    differs: TEXTS,
    answer: { status: 400, body: { detail: "Learner $lacking is not eligible for " } },
  },
  { name: "a learner who names themselves", path: `${CLAIM}?username=$self`, as: "$self", branch: started },
  {
    name: "a learner for another learner",
    path: `${CLAIM}?username=$victim`,
    as: "$ready",
    branch: started,
    differs: OTHERS,
    answer: { status: 403 },
  },
  {
    name: "another learner's name in the body",
    path: CLAIM,
    as: "$ready",
    body: '{"username":"victim"}',
    branch: { status: 403 },
    differs: BODY,
    answer: { status: 400 },
  },
  {
    name: "GET of the address",
    method: "GET",
    path: CLAIM,
    as: "$ready",
    branch: { status: 500 },
    differs: ADDRESS,
    answer: { status: 405 },
  },
  {
    name: "POST without a type",
    path: "eligibility/<course>/",
    as: "$ready",
    branch: { status: 500 },
    differs: ADDRESS,
    answer: { status: 405 },
  },
];

const available = {
  credential_id: "<uuid of $holder>",
  credential_type: "Certificate",
  context_key: COURSE,
  status: "available",
  created_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  download_url: expect.stringMatching(/^https?:/),
};
const generating = {
  ...available,
  credential_id: "<uuid of $waiting>",
  status: "generating",
  download_url: "",
};
const listing = (...credentials: object[]) => ({ status: 200, body: { credentials } });
const ofCourse = `learning_context_key=${encodeURIComponent(COURSE)}`;

/** Cases of lists, before any claim. */
const lists: readonly Case[] = [
  { name: "without a token", path: "credentials/", as: "anonymous", branch: anonymous },
  { name: "one's own", path: "credentials/", as: "$holder", branch: listing(available) },
  { name: "one's own that is generating", path: "credentials/", as: "$waiting", branch: listing(generating) },
  { name: "none", path: "credentials/", as: "$other", branch: listing() },
  {
    name: "one's own by name",
    path: "credentials/?username=$holder",
    as: "$holder",
    branch: listing(available),
  },
  {
    name: "another learner's",
    path: "credentials/?username=$holder",
    as: "$other",
    branch: { status: 403 },
  },
  {
    name: "another learner's, for staff",
    path: "credentials/?username=$holder",
    as: "staff",
    branch: listing(available),
  },
  { name: "an unknown learner's", path: "credentials/?username=nobody", as: "staff", branch: notFound },
  { name: "those of a course", path: `credentials/?${ofCourse}`, as: "$holder", branch: listing(available) },
  {
    name: "those of a path, without one",
    path: `credentials/?learning_context_key=${encodeURIComponent(PATH)}`,
    as: "$pupil",
    branch: listing(),
  },
  {
    name: "those of a course of others",
    path: `credentials/?${ofCourse}`,
    as: "$outsider",
    branch: noCourse,
  },
  {
    name: "those of a path of others",
    path: `credentials/?learning_context_key=${encodeURIComponent(PATH)}`,
    as: "$other",
    branch: noPath,
  },
  {
    name: "a malformed key",
    path: "credentials/?learning_context_key=invalid-key",
    as: "$holder",
    branch: badKey,
  },
  {
    name: "one that failed",
    path: "credentials/",
    as: "$failed",
    branch: listing({ ...generating, credential_id: "<uuid of $failed>", status: "error" }),
    differs: "failed credentials in `credentials/`",
    answer: listing(),
  },
].map((each) => ({ method: "GET", ...each }));

/**
 * Rows that no single request can show. They are tested in `issuance/claims.test.ts` and `many-claims.long.test.ts`.
 */
const elsewhere = [
  "the task that generates the PDF can't be started",
  "`created_date`",
  "the same claim several times at once",
];

const academy = givenAcademy();
const compatible = given(
  () =>
    startTestService({
      beside: academy.service,
      settings: { LEARNING_CREDENTIALS_REST_COMPATIBILITY: "0.5.1" },
    }),
  ({ stop }) => stop(),
);
const values = new Map<string, string>();

const shapes = [
  { shape: "default", at: () => academy.service },
  { shape: "0.5.1", at: () => compatible },
];

beforeAll(async () => {
  const { configurations, configurationId } = academy;
  const closed = await offerCredential(configurations, COURSE, "Closed", "retrieve_completions", {
    required_completion: 0.5,
  });
  const ofPath = await offerCredential(configurations, PATH, "Path", "retrieve_subsection_grades", {
    required_grades: { Exam: 0.65 },
  });
  for (const id of [configurationId, ofPath.id]) {
    await configurations.updateCredentialConfiguration({
      credentialConfiguration: { id, claim: ClaimMode.ALLOWED },
      updateMask: { paths: ["claim"] },
    });
  }
  const { credentialTypeId } = await configurations.getCredentialConfiguration({ id: configurationId });
  values.set("<course>", COURSE).set("<path>", PATH).set("<type>", String(credentialTypeId));
  values.set("<closed>", String(closed.credentialTypeId)).set("<of-path>", String(ofPath.credentialTypeId));
  const learningContextKey = PATH;
  await academy.report({
    case: "learningPath",
    value: { pathKey: PATH, displayName: "Path", inviteOnly: true, stepCourseKeys: [COURSE] },
  });
  for (const { shape } of shapes) {
    const named = (name: string) => `${name}-${shape}`;
    const names = [
      "ready",
      "holder",
      "waiting",
      "failed",
      "lacking",
      "withdrawn",
      "other",
      "pupil",
      "self",
      "victim",
    ];
    await academy.enrol(...names.map(named));
    await academy.report(exam(named("lacking"), 3), enrolled(named("pupil"), learningContextKey), {
      case: "learner",
      value: { username: named("outsider"), fullName: "Outsider" },
    });
    for (const name of ["holder", "waiting", "failed", "withdrawn"]) {
      const { uuid } = await academy.issue(named(name));
      values.set(`<uuid of ${named(name)}>`, uuid);
      if (name === "holder" || name === "withdrawn") await academy.generate(uuid);
      if (name === "withdrawn") await academy.invalidate(uuid);
    }
    await academy.fail(values.get(`<uuid of ${named("failed")}>`) ?? "");
  }
});

describe.each(shapes)(
  "the cases of the plug-in's branch for claims, in the shape $shape",
  ({ shape, at }) => {
    const inShape = (text: string) =>
      [...values].reduce(
        (filled, [name, value]) => filled.replaceAll(name, value),
        text.replace(/\$(\w+)/g, `$1-${shape}`),
      );

    async function check({ method = "POST", path, as, body = "", branch, differs, answer }: Case) {
      const response = await send(at().httpUrl, {
        method,
        target: PREFIX + inShape(path),
        headers: callerOf(inShape(as)),
        body,
      });
      const received = { status: response.status, body: bodyOf(response.body) };
      if (differs !== undefined) expect(received, differs).not.toEqual(expected(branch, "exactly"));
      expect(received).toEqual(expected(answer ?? branch));
    }

    /** Returns the expected response. Only the beginning of `detail` must match, unless two responses are compared. */
    function expected({ status, body }: Answer, exactly?: "exactly") {
      if (body === undefined) return { status, body: exactly ? undefined : expect.anything() };
      const { detail } = body;
      if (typeof detail !== "string" || exactly) return { status, body: filled(body) };
      const says = expect.stringMatching(new RegExp(`^${inShape(detail)}`));
      const more =
        status === 201
          ? { credential: expect.anything() }
          : status === 409 && { existing_credential: expect.anything() };
      return { status, body: { detail: says, ...(shape === "default" && more) } };
    }

    function filled(value: unknown): unknown {
      if (typeof value === "string") return inShape(value);
      if (Array.isArray(value)) return value.map(filled);
      if (typeof value !== "object" || value === null || "asymmetricMatch" in value) return value;
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each)]));
    }

    test.each(lists.map((each) => [each.name, each] as const))("GET credentials/: %s", (_, each) =>
      check(each),
    );

    test("the fields of GET credentials/ are in the branch's order", async () => {
      const target = `${PREFIX}credentials/`;
      const { body } = await send(at().httpUrl, {
        method: "GET",
        target,
        headers: callerOf(inShape("$holder")),
      });
      expect(Object.keys(JSON.parse(body).credentials[0])).toEqual(Object.keys(available));
    });

    test.each(claims.map((each) => [each.name, each] as const))("POST eligibility/: %s", (_, each) =>
      check(each),
    );
  },
);

test("the documentation lists the differences, and no others", async () => {
  const rows = await rowsOf("Claims");
  const differing = [...claims, ...lists].flatMap(({ differs }) => differs ?? []);
  expect(rows.toSorted()).toEqual([...new Set([...differing, ...elsewhere])].toSorted());
});

function callerOf(as: string): Credentials {
  if (as === "anonymous") return {};
  return as === "staff" ? staff : learner(as);
}

/** Parses a body. Error pages are not JSON. */
function bodyOf(text: string): unknown {
  return text.startsWith("{") ? JSON.parse(text) : text;
}
