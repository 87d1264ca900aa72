import { reader, staff, writer } from "../callers.js";
import { ALGEBRA, BOTH, COMPLETIONS, GONE_PATH, GRADES, NAMES, STATUSES } from "../contract-data.js";
import { detail, type Exchange, eligibility, get, givenTwice, NOT_YOURSELF } from "../exchange.js";
import { ALL_OF_ANA, ANA_1, ANA_2, ANA_3, ana, NOTHING_ATTAINED, ofStatuses } from "./answers.js";

type Row = [name: string, query: string, status: number, body: string];

const chosen = (...credentials: string[]) => eligibility(ALGEBRA, ...credentials);
const noLearner = (name: string) => detail(`There is no learner named "${name}".`);
const hasNul = (name: string) => detail(`${name} contains the control character U+0000.`);
const malformed = (value: string) => detail(`username: "${value}" is not valid percent-encoding.`);

const functions: Row[] = [
  ["only credentials with that function", COMPLETIONS, 200, chosen(ANA_2)],
  ["one whose name begins with another's", BOTH, 200, chosen(ANA_3)],
  ["percent-encoded", GRADES.replaceAll(".", "%2E"), 200, chosen(ANA_1)],
  ["unknown", "no.such.function", 200, chosen()],
  ["its last part does not suffice", "retrieve_completions", 200, chosen()],
  ["empty counts as absent", "", 200, ALL_OF_ANA],
  ["a NUL byte", "a%00", 400, hasNul("retrieval_func")],
  ["given twice", `${GRADES}&retrieval_func=${GRADES}`, 400, givenTwice("retrieval_func")],
  ["given twice, one in percent-encoding", "a&retrieval%5Ffunc=b", 400, givenTwice("retrieval_func")],
  ["given twice, once empty", `&retrieval_func=${COMPLETIONS}`, 200, chosen(ANA_2)],
];

const ignored: Row[] = [
  [
    "unknown parameters, given twice or malformed, are ignored",
    "?a=1&a=2&%zz=%zz&Username=ben&page_size=x&&=&b",
    200,
    ALL_OF_ANA,
  ],
  [
    "the key is that of the path, whatever the query says",
    `?learning_context_key=${NAMES}&learning_context_key=x`,
    200,
    ALL_OF_ANA,
  ],
  ["an empty query", "?", 200, ALL_OF_ANA],
];

const usernames: Row[] = [
  ["one's own", "=ana", 200, ALL_OF_ANA],
  ["empty counts as absent", "=", 200, ALL_OF_ANA],
  ["no value counts as absent", "", 200, ALL_OF_ANA],
  ["another learner's", "=ben", 403, NOT_YOURSELF],
  ["an unknown one, with the same body", "=nobody", 403, NOT_YOURSELF],
  ["one's own in other letters is another's", "=Ana", 403, NOT_YOURSELF],
  ["one's own and a NUL byte is another's", "=ana%00", 403, NOT_YOURSELF],
  ["bytes that are not UTF-8 are another's", "=%FF", 403, NOT_YOURSELF],
  ["given twice", "=ana&username=ana", 400, givenTwice("username")],
  ["given twice, another's first", "=ben&username=ana", 403, NOT_YOURSELF],
];

const byStaff: Row[] = [
  ["another learner's", "=ana", 200, ALL_OF_ANA],
  ["a learner who can't access the context", "=zoe", 200, NOTHING_ATTAINED],
  ["an unknown learner", "=nobody", 404, noLearner("nobody")],
  ["an enrolled user without a learner record", "=ghost", 404, noLearner("ghost")],
  ["themselves by name, without a learner record", "=registrar", 200, NOTHING_ATTAINED],
  ["a NUL byte in a username", "=ana%00", 400, hasNul("username")],
  ["bytes that are not UTF-8 in a username", "=%FF", 400, malformed("%FF")],
  ["malformed percent-encoding in a username", "=ana%", 400, malformed("ana%")],
  [
    "a username of 256 characters",
    `=${"a".repeat(256)}`,
    400,
    detail("username has 256 characters; at most 255 are accepted."),
  ],
];

const byStaffElsewhere: Row[] = [
  [
    "both parameters, in any order",
    `${ALGEBRA}/?retrieval_func=${COMPLETIONS}&username=%61na`,
    200,
    chosen(ANA_2),
  ],
  ["a plus sign in a username is written %2B", `${STATUSES}/?username=max%2B1`, 200, ofStatuses("null")],
  ["a plus sign is a space", `${STATUSES}/?username=max+1`, 404, noLearner("max 1")],
  [
    "an unknown learner, also where nothing is configured",
    "course-v1:No+Such+Course/?username=%E7%8E%8B%F0%9F%8E%93",
    404,
    noLearner("王🎓"),
  ],
  ["themselves, without a learner record", `${ALGEBRA}/`, 200, NOTHING_ATTAINED],
  [
    "a context that does not exist",
    "path-v1:No+Such+Learning+Path/",
    200,
    '{"context_key":"path-v1:No+Such+Learning+Path","credentials":[]}',
  ],
  [
    "a path that was withdrawn has no steps",
    `${GONE_PATH}/?username=ana`,
    200,
    eligibility(
      GONE_PATH,
      '{"credential_type_id":2,"name":"Certificate of Completion","is_eligible":false,"existing_credential":null}',
    ),
  ],
];

/** GET eligibility/{learning_context_key}/: the query parameters. */
export const parameters: Exchange[] = [
  ...functions.map(([name, value, ...answer]) =>
    inAlgebra(`retrieval_func: ${name}`, ana, `?retrieval_func=${value}`, ...answer),
  ),
  ...ignored.map(([name, query, ...answer]) => inAlgebra(name, ana, query, ...answer)),
  ...usernames.map(([name, value, ...answer]) =>
    inAlgebra(`username: ${name}`, ana, `?username${value}`, ...answer),
  ),
  ...byStaff.map(([name, value, ...answer]) =>
    inAlgebra(`staff: ${name}`, staff, `?username${value}`, ...answer),
  ),
  ...byStaffElsewhere.map(([name, path, ...answer]) =>
    get(`staff: ${name}`, staff, `eligibility/${path}`, ...answer),
  ),
  inAlgebra("a service that may read: another learner's", reader, "?username=ana", 200, ALL_OF_ANA),
  inAlgebra("a service that may write: another learner's", writer, "?username=ana", 200, ALL_OF_ANA),
  inAlgebra("a service: an unknown learner", reader, "?username=nobody", 404, noLearner("nobody")),
  inAlgebra("a service: itself, without a learner record", reader, "", 200, NOTHING_ATTAINED),
];

function inAlgebra(name: string, as: Exchange["as"], query: string, status: number, body: string): Exchange {
  return get(name, as, `eligibility/${ALGEBRA}/${query}`, status, body);
}
