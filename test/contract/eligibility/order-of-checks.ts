import { ALGEBRA, GONE_PATH, MATHS } from "../academy.js";
import { learner, staff } from "../callers.js";
import { badKey, detail, type Exchange, NO_CONTEXT, NO_CREDENTIALS, NOT_YOURSELF } from "../exchange.js";
import { ana } from "./answers.js";

/** GET eligibility/{learning_context_key}/: the order of the checks, and the errors of access. */
export const orderOfChecks: Exchange[] = [
  {
    name: "403 authentication: nobody in particular",
    path: `eligibility/${ALGEBRA}/`,
    status: 403,
    body: NO_CREDENTIALS,
  },
  {
    name: "403 authentication comes before 400 for the key",
    path: "eligibility/nonsense/",
    status: 403,
    body: NO_CREDENTIALS,
  },
  {
    name: "403 authentication comes before 403 for the username",
    path: `eligibility/${ALGEBRA}/?username=ben`,
    status: 403,
    body: NO_CREDENTIALS,
  },
  {
    name: "403 authentication comes before 400 for the query",
    path: `eligibility/${ALGEBRA}/?username=a&username=b`,
    status: 403,
    body: NO_CREDENTIALS,
  },
  {
    name: "403 authentication comes before 404 for the context",
    path: "eligibility/course-v1:No+Such+Course/",
    status: 403,
    body: NO_CREDENTIALS,
  },
  {
    name: "403 username comes before 400 for the key",
    as: ana,
    path: "eligibility/nonsense/?username=ben",
    status: 403,
    body: NOT_YOURSELF,
  },
  {
    name: "403 username comes before 400 for the query",
    as: ana,
    path: `eligibility/${ALGEBRA}/?username=ben&retrieval_func=a&retrieval_func=b`,
    status: 403,
    body: NOT_YOURSELF,
  },
  {
    name: "403 username comes before 404 for the context",
    as: ana,
    path: "eligibility/course-v1:No+Such+Course/?username=ben",
    status: 403,
    body: NOT_YOURSELF,
  },
  {
    name: "400 key: a learner",
    as: ana,
    path: "eligibility/nonsense/",
    status: 400,
    body: badKey("nonsense"),
  },
  {
    name: "400 key: staff",
    as: staff,
    path: "eligibility/nonsense/",
    status: 400,
    body: badKey("nonsense"),
  },
  {
    name: "400 key comes before 404 for the username",
    as: staff,
    path: "eligibility/nonsense/?username=nobody",
    status: 400,
    body: badKey("nonsense"),
  },
  {
    name: "400 query comes before 404 for the context",
    as: ana,
    path: "eligibility/course-v1:No+Such+Course/?retrieval_func=a&retrieval_func=b",
    status: 400,
    body: detail("retrieval_func: give it once, not several times."),
  },
  {
    name: "404 access: a context that does not exist",
    as: ana,
    path: "eligibility/course-v1:No+Such+Course/",
    status: 404,
    body: NO_CONTEXT,
  },
  {
    name: "404 access: a context that is closed, with the same body",
    as: learner("zoe"),
    path: `eligibility/${ALGEBRA}/`,
    status: 404,
    body: NO_CONTEXT,
  },
  {
    name: "404 access: a closed context and one's own username",
    as: learner("zoe"),
    path: `eligibility/${ALGEBRA}/?username=zoe`,
    status: 404,
    body: NO_CONTEXT,
  },
  {
    name: "404 access: a closed context and an unknown function",
    as: learner("zoe"),
    path: `eligibility/${ALGEBRA}/?retrieval_func=no.such.function`,
    status: 404,
    body: NO_CONTEXT,
  },
  {
    name: "404 access: a path that is invite-only",
    as: learner("zoe"),
    path: `eligibility/${MATHS}/`,
    status: 404,
    body: NO_CONTEXT,
  },
  {
    name: "404 access: an enrolment that is not active",
    as: learner("ben"),
    path: `eligibility/${ALGEBRA}/`,
    status: 404,
    body: NO_CONTEXT,
  },
  {
    name: "404 access: an open path that was withdrawn",
    as: learner("zoe"),
    path: `eligibility/${GONE_PATH}/`,
    status: 404,
    body: NO_CONTEXT,
  },
];
