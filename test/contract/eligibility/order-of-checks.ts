import { learner, staff } from "../callers.js";
import { ALGEBRA, GONE_PATH, MATHS } from "../contract-data.js";
import {
  badKey,
  type Exchange,
  get,
  givenTwice,
  NO_COURSE,
  NO_CREDENTIALS,
  NO_PATH,
  NOT_YOURSELF,
  nobody,
} from "../exchange.js";
import { ana } from "./answers.js";

const MISSING = "course-v1:No+Such+Course/";
const TWICE = "retrieval_func=a&retrieval_func=b";
const zoe = learner("zoe");

type Row = [name: string, as: Exchange["as"], path: string, body?: string];

const unauthenticated: Row[] = [
  ["authentication: nobody in particular", nobody, `${ALGEBRA}/`],
  ["authentication comes before 400 for the key", nobody, "nonsense/"],
  ["authentication comes before 403 for the username", nobody, `${ALGEBRA}/?username=ben`],
  ["authentication comes before 400 for the query", nobody, `${ALGEBRA}/?username=a&username=b`],
  ["authentication comes before 404 for the context", nobody, MISSING],
];
const anothers: Row[] = [
  ["username comes before 400 for the key", ana, "nonsense/?username=ben"],
  ["username comes before 400 for the query", ana, `${ALGEBRA}/?username=ben&${TWICE}`],
  ["username comes before 404 for the context", ana, `${MISSING}?username=ben`],
];
const malformed: Row[] = [
  ["key: a learner", ana, "nonsense/"],
  ["key: staff", staff, "nonsense/"],
  ["key comes before 404 for the username", staff, "nonsense/?username=nobody"],
  ["query comes before 404 for the context", ana, `${MISSING}?${TWICE}`, givenTwice("retrieval_func")],
];
const notFound: Row[] = [
  ["access: a context that does not exist", ana, MISSING],
  ["access: a context that is closed, with the same body", zoe, `${ALGEBRA}/`],
  ["access: a closed context and one's own username", zoe, `${ALGEBRA}/?username=zoe`],
  ["access: a closed context and an unknown function", zoe, `${ALGEBRA}/?retrieval_func=no.such.function`],
  ["access: a path that is invite-only", zoe, `${MATHS}/`, NO_PATH],
  ["access: an enrolment that is not active", learner("ben"), `${ALGEBRA}/`],
  ["access: an open path that was withdrawn", zoe, `${GONE_PATH}/`, NO_PATH],
];

/** GET eligibility/{learning_context_key}/: the order of the checks, and the errors of access. */
export const orderOfChecks: Exchange[] = [
  ...unauthenticated.map((row) => refused(403, NO_CREDENTIALS, row)),
  ...anothers.map((row) => refused(403, NOT_YOURSELF, row)),
  ...malformed.map((row) => refused(400, badKey("nonsense"), row)),
  ...notFound.map((row) => refused(404, NO_COURSE, row)),
];

function refused(status: number, usual: string, [name, as, path, body = usual]: Row): Exchange {
  return get(`${status} ${name}`, as, `eligibility/${path}`, status, body);
}
