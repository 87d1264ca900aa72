import {
  ALGEBRA,
  BOTH,
  COMPLETIONS,
  CYRILLIC,
  EMPTY_PATH,
  EXTRA,
  fileKey,
  GONE_PATH,
  GRADES,
  issued,
  MATHS,
  NAMES,
  OPEN_PATH,
  OPENED,
  ROUNDING,
  STATUSES,
  ZERO,
} from "./academy.js";
import { learner, reader, staff, writer } from "./callers.js";
import {
  badKey,
  detail,
  type Exchange,
  eligibility,
  NO_CONTEXT,
  NO_CREDENTIALS,
  NOT_YOURSELF,
} from "./exchange.js";

const ana = learner("ana");

const ANA_IN_ALGEBRA = '{"homework":31,"lab":59,"midterm":54,"final":66,"total":60}';
const NOTHING_IN_ALGEBRA = '{"homework":0,"lab":0,"midterm":0,"final":0,"total":0}';

const ANA_1 =
  '{"credential_type_id":1,"name":"Certificate of Achievement","is_eligible":true,"existing_credential":null,' +
  `"current_grades":${ANA_IN_ALGEBRA},"required_grades":{"final":55,"total":60}}`;
const ANA_2 =
  '{"credential_type_id":2,"name":"Certificate of Completion","is_eligible":true,"existing_credential":null,' +
  '"current_completion":0.95,"required_completion":0.9}';
const ANA_3 =
  '{"credential_type_id":3,"name":"Diploma \\"with honours\\" – 優等","is_eligible":false,' +
  `"existing_credential":null,"current_grades":${ANA_IN_ALGEBRA},"required_grades":{"total":60.5},` +
  '"current_completion":0.95,"required_completion":0.5}';

const NOBODY_1 =
  '{"credential_type_id":1,"name":"Certificate of Achievement","is_eligible":false,"existing_credential":null,' +
  `"current_grades":${NOTHING_IN_ALGEBRA},"required_grades":{"final":55,"total":60}}`;
const NOBODY_2 =
  '{"credential_type_id":2,"name":"Certificate of Completion","is_eligible":false,"existing_credential":null,' +
  '"current_completion":0,"required_completion":0.9}';
const NOBODY_3 =
  '{"credential_type_id":3,"name":"Diploma \\"with honours\\" – 優等","is_eligible":false,' +
  `"existing_credential":null,"current_grades":${NOTHING_IN_ALGEBRA},"required_grades":{"total":60.5},` +
  '"current_completion":0,"required_completion":0.5}';

const ALL_OF_ANA = eligibility(ALGEBRA, ANA_1, ANA_2, ANA_3);
const NOTHING_ATTAINED = eligibility(ALGEBRA, NOBODY_1, NOBODY_2, NOBODY_3);

/** GET eligibility/{learning_context_key}/: the content of the reports. */
export const reports: Exchange[] = [
  {
    name: "by grades, by completion, by both; a total of exactly 60 reaches 60 (in floating point it would not)",
    as: ana,
    path: `eligibility/${ALGEBRA}/`,
    status: 200,
    body:
      '{"context_key":"course-v1:Uni+Algebra+2026","credentials":[' +
      '{"credential_type_id":1,"name":"Certificate of Achievement","is_eligible":true,"existing_credential":null,' +
      '"current_grades":{"homework":31,"lab":59,"midterm":54,"final":66,"total":60},' +
      '"required_grades":{"final":55,"total":60}},' +
      '{"credential_type_id":2,"name":"Certificate of Completion","is_eligible":true,"existing_credential":null,' +
      '"current_completion":0.95,"required_completion":0.9},' +
      '{"credential_type_id":3,"name":"Diploma \\"with honours\\" – 優等","is_eligible":false,"existing_credential":null,' +
      '"current_grades":{"homework":31,"lab":59,"midterm":54,"final":66,"total":60},' +
      '"required_grades":{"total":60.5},"current_completion":0.95,"required_completion":0.5}]}',
  },
  {
    name: "nothing is configured",
    as: ana,
    path: `eligibility/${encodeURIComponent(CYRILLIC)}/`,
    status: 200,
    body: '{"context_key":"course-v1:Uni+Алгебра+2026","credentials":[]}',
  },
  {
    name:
      "grades in the order of the policy, whatever they are named, then those outside it; at most 6 decimals; " +
      "extra credit; types without points and types not attempted count 0",
    as: ana,
    path: `eligibility/${NAMES}/`,
    status: 200,
    body: eligibility(
      NAMES,
      '{"credential_type_id":1,"name":"Certificate of Achievement","is_eligible":false,"existing_credential":null,' +
        '"current_grades":{"10":33.333333,"1":120,"2":0,"labs":0,"essay":66.666667,"constructor":0,"quiz":90,"total":38.666667},' +
        '"required_grades":{"10":12.5,"1":25,"2":50,"constructor":1,"bonus":10,"total":0}}',
    ),
  },
  {
    name: "extra credit lifts a total over 100",
    as: ana,
    path: `eligibility/${EXTRA}/`,
    status: 200,
    body: eligibility(
      EXTRA,
      '{"credential_type_id":1,"name":"Certificate of Achievement","is_eligible":true,"existing_credential":null,' +
        '"current_grades":{"exam":120,"total":120},"required_grades":{"exam":100,"total":100}}',
    ),
  },
  {
    name: "0 points reach a requirement of 0",
    as: ana,
    path: `eligibility/${ZERO}/`,
    status: 200,
    body: eligibility(
      ZERO,
      '{"credential_type_id":1,"name":"Certificate of Achievement","is_eligible":true,"existing_credential":null,' +
        '"current_grades":{"exam":0,"total":0},"required_grades":{"exam":0,"total":0}}',
    ),
  },
  {
    name: "a learner who has not attempted a required type is not eligible, even if 0 is required",
    as: learner("eve"),
    path: `eligibility/${ZERO}/`,
    status: 200,
    body: eligibility(
      ZERO,
      '{"credential_type_id":1,"name":"Certificate of Achievement","is_eligible":false,"existing_credential":null,' +
        '"current_grades":{"exam":0,"total":0},"required_grades":{"exam":0,"total":0}}',
    ),
  },
  {
    name: "59.9999996 is 60 at 6 decimals",
    as: learner("eve"),
    path: `eligibility/${ROUNDING}/`,
    status: 200,
    body: eligibility(
      ROUNDING,
      '{"credential_type_id":1,"name":"Certificate of Achievement","is_eligible":true,"existing_credential":null,' +
        '"current_grades":{"exam":60,"total":60},"required_grades":{"total":60}}',
    ),
  },
  {
    name: "59.9999994 is not",
    as: learner("fay"),
    path: `eligibility/${ROUNDING}/`,
    status: 200,
    body: eligibility(
      ROUNDING,
      '{"credential_type_id":1,"name":"Certificate of Achievement","is_eligible":false,"existing_credential":null,' +
        '"current_grades":{"exam":59.999999,"total":59.999999},"required_grades":{"total":60}}',
    ),
  },
  {
    name: "a completion of a third, at 6 decimals",
    as: learner("max+1"),
    path: `eligibility/${ALGEBRA}/?retrieval_func=${COMPLETIONS}`,
    status: 200,
    body: eligibility(
      ALGEBRA,
      '{"credential_type_id":2,"name":"Certificate of Completion","is_eligible":false,"existing_credential":null,' +
        '"current_completion":0.333333,"required_completion":0.9}',
    ),
  },
  {
    name: "a completion of 0.8999996 is 0.9 at 6 decimals",
    as: learner("eve"),
    path: `eligibility/${ALGEBRA}/?retrieval_func=${COMPLETIONS}`,
    status: 200,
    body: eligibility(
      ALGEBRA,
      '{"credential_type_id":2,"name":"Certificate of Completion","is_eligible":true,"existing_credential":null,' +
        '"current_completion":0.9,"required_completion":0.9}',
    ),
  },
  {
    name: "a learning path: its steps in its order, each with its own options where it has them",
    as: ana,
    path: `eligibility/${MATHS}/`,
    status: 200,
    body: eligibility(
      MATHS,
      '{"credential_type_id":1,"name":"Certificate of Achievement","is_eligible":true,"existing_credential":null,' +
        '"steps":{"course-v1:Uni+Extra+2026":{"is_eligible":true,' +
        '"current_grades":{"exam":120,"total":120},"required_grades":{"total":60}},' +
        '"course-v1:Uni+Algebra+2026":{"is_eligible":true,' +
        `"current_grades":${ANA_IN_ALGEBRA},"required_grades":{"lab":59,"final":50,"total":0}}}}`,
      '{"credential_type_id":3,"name":"Diploma \\"with honours\\" – 優等","is_eligible":false,"existing_credential":null,' +
        '"steps":{"course-v1:Uni+Extra+2026":{"is_eligible":true,' +
        '"current_grades":{"exam":120,"total":120},"required_grades":{"exam":100,"total":0},' +
        '"current_completion":0,"required_completion":0},' +
        '"course-v1:Uni+Algebra+2026":{"is_eligible":false,' +
        `"current_grades":${ANA_IN_ALGEBRA},"required_grades":{"total":60.5},` +
        '"current_completion":0.95,"required_completion":0.5}}}',
    ),
  },
  {
    name: "a learning path: learners are not eligible in a step in which they are not enrolled",
    as: learner("dan"),
    path: `eligibility/${MATHS}/?retrieval_func=${GRADES}`,
    status: 200,
    body: eligibility(
      MATHS,
      '{"credential_type_id":1,"name":"Certificate of Achievement","is_eligible":false,"existing_credential":null,' +
        '"steps":{"course-v1:Uni+Extra+2026":{"is_eligible":false,' +
        '"current_grades":{"exam":0,"total":0},"required_grades":{"total":60}},' +
        '"course-v1:Uni+Algebra+2026":{"is_eligible":false,' +
        `"current_grades":${NOTHING_IN_ALGEBRA},"required_grades":{"lab":59,"final":50,"total":0}}}}`,
    ),
  },
  {
    name: "a learning path without steps makes nobody eligible",
    as: ana,
    path: `eligibility/${EMPTY_PATH}/`,
    status: 200,
    body: eligibility(
      EMPTY_PATH,
      '{"credential_type_id":2,"name":"Certificate of Completion","is_eligible":false,"existing_credential":null}',
    ),
  },
  {
    name: "an open path without an enrolment: reported, not eligible",
    as: learner("zoe"),
    path: `eligibility/${OPEN_PATH}/`,
    status: 200,
    body: eligibility(
      OPEN_PATH,
      '{"credential_type_id":2,"name":"Certificate of Completion","is_eligible":false,"existing_credential":null,' +
        '"steps":{"course-v1:Uni+Opened+2026":{"is_eligible":false,"current_completion":0,"required_completion":0.9}}}',
    ),
  },
  {
    name: "a step of an open path without an enrolment: not eligible though nothing is required",
    as: learner("zoe"),
    path: `eligibility/${OPENED}/`,
    status: 200,
    body: eligibility(
      OPENED,
      '{"credential_type_id":2,"name":"Certificate of Completion","is_eligible":false,"existing_credential":null,' +
        '"current_completion":0,"required_completion":0}',
    ),
  },
  {
    name: "a step of a path, without an enrolment in the course: nothing attained",
    as: learner("dan"),
    path: `eligibility/${ALGEBRA}/`,
    status: 200,
    body: NOTHING_ATTAINED,
  },
  {
    name: "enrolled, but without a learner record: nothing attained",
    as: learner("ghost"),
    path: `eligibility/${ALGEBRA}/`,
    status: 200,
    body: NOTHING_ATTAINED,
  },
];

const LINK =
  `https://credentials.test/files/learning_credentials/${issued.AVAILABLE.uuid}/` +
  "000102030405060708090a0b0c0d0e0f.pdf?expires=…&signature=…";

function ofStatuses(existing: string): string {
  return eligibility(
    STATUSES,
    '{"credential_type_id":2,"name":"Certificate of Completion","is_eligible":false,' +
      `"existing_credential":${existing},"current_completion":0,"required_completion":0.9}`,
  );
}

/** GET eligibility/{learning_context_key}/: `existing_credential`. */
export const existingCredentials: Exchange[] = [
  {
    name: "generating: no download link yet",
    as: learner("gil"),
    path: `eligibility/${STATUSES}/`,
    status: 200,
    body: ofStatuses(
      '{"uuid":"5fd1e7a0-0000-4000-8000-000000000001","verify_uuid":"a1b2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c51",' +
        '"status":"generating","created":"2026-01-15T10:30:00Z","download_url":null}',
    ),
  },
  {
    name: "available: with a signed download link",
    as: learner("hal"),
    path: `eligibility/${STATUSES}/`,
    status: 200,
    body: ofStatuses(
      '{"uuid":"5fd1e7a0-0000-4000-8000-000000000002","verify_uuid":"a1b2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c52",' +
        `"status":"available","created":"2026-01-15T10:30:00Z","download_url":"${LINK}"}`,
    ),
  },
  {
    name: "error: null",
    as: learner("ivo"),
    path: `eligibility/${STATUSES}/`,
    status: 200,
    body: ofStatuses("null"),
  },
  {
    name: "invalidated: null",
    as: learner("joy"),
    path: `eligibility/${STATUSES}/`,
    status: 200,
    body: ofStatuses("null"),
  },
  {
    name: "invalidated and issued anew: the new one",
    as: learner("kim"),
    path: `eligibility/${STATUSES}/`,
    status: 200,
    body: ofStatuses(
      '{"uuid":"5fd1e7a0-0000-4000-8000-000000000006","verify_uuid":"a1b2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c56",' +
        `"status":"available","created":"2026-02-28T00:00:00Z","download_url":"https://credentials.test/files/` +
        `${fileKey(issued.REPLACEMENT)}?expires=…&signature=…"}`,
    ),
  },
  {
    name: "staff about another learner: that learner's",
    as: staff,
    path: `eligibility/${STATUSES}/?username=gil`,
    status: 200,
    body: ofStatuses(
      '{"uuid":"5fd1e7a0-0000-4000-8000-000000000001","verify_uuid":"a1b2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c51",' +
        '"status":"generating","created":"2026-01-15T10:30:00Z","download_url":null}',
    ),
  },
];

/** GET eligibility/{learning_context_key}/: the query parameters. */
export const parameters: Exchange[] = [
  {
    name: "retrieval_func: only credentials with that function",
    as: ana,
    path: `eligibility/${ALGEBRA}/?retrieval_func=${COMPLETIONS}`,
    status: 200,
    body: eligibility(ALGEBRA, ANA_2),
  },
  {
    name: "retrieval_func: one whose name begins with another's",
    as: ana,
    path: `eligibility/${ALGEBRA}/?retrieval_func=${BOTH}`,
    status: 200,
    body: eligibility(ALGEBRA, ANA_3),
  },
  {
    name: "retrieval_func: percent-encoded",
    as: ana,
    path: `eligibility/${ALGEBRA}/?retrieval_func=${GRADES.replaceAll(".", "%2E")}`,
    status: 200,
    body: eligibility(ALGEBRA, ANA_1),
  },
  {
    name: "retrieval_func: unknown",
    as: ana,
    path: `eligibility/${ALGEBRA}/?retrieval_func=no.such.function`,
    status: 200,
    body: eligibility(ALGEBRA),
  },
  {
    name: "retrieval_func: its last part does not suffice",
    as: ana,
    path: `eligibility/${ALGEBRA}/?retrieval_func=retrieve_completions`,
    status: 200,
    body: eligibility(ALGEBRA),
  },
  {
    name: "retrieval_func: empty counts as absent",
    as: ana,
    path: `eligibility/${ALGEBRA}/?retrieval_func=`,
    status: 200,
    body: ALL_OF_ANA,
  },
  {
    name: "retrieval_func: a NUL byte",
    as: ana,
    path: `eligibility/${ALGEBRA}/?retrieval_func=a%00`,
    status: 400,
    body: detail("retrieval_func contains the control character U+0000."),
  },
  {
    name: "retrieval_func: given twice",
    as: ana,
    path: `eligibility/${ALGEBRA}/?retrieval_func=${GRADES}&retrieval_func=${GRADES}`,
    status: 400,
    body: detail("retrieval_func: give it once, not several times."),
  },
  {
    name: "retrieval_func: given twice, one in percent-encoding",
    as: ana,
    path: `eligibility/${ALGEBRA}/?retrieval_func=a&retrieval%5Ffunc=b`,
    status: 400,
    body: detail("retrieval_func: give it once, not several times."),
  },
  {
    name: "retrieval_func: given twice, once empty",
    as: ana,
    path: `eligibility/${ALGEBRA}/?retrieval_func=&retrieval_func=${COMPLETIONS}`,
    status: 200,
    body: eligibility(ALGEBRA, ANA_2),
  },
  {
    name: "unknown parameters, given twice or malformed, are ignored",
    as: ana,
    path: `eligibility/${ALGEBRA}/?a=1&a=2&%zz=%zz&Username=ben&page_size=x&&=&b`,
    status: 200,
    body: ALL_OF_ANA,
  },
  {
    name: "the key is that of the path, whatever the query says",
    as: ana,
    path: `eligibility/${ALGEBRA}/?learning_context_key=${NAMES}&learning_context_key=x`,
    status: 200,
    body: ALL_OF_ANA,
  },
  {
    name: "an empty query",
    as: ana,
    path: `eligibility/${ALGEBRA}/?`,
    status: 200,
    body: ALL_OF_ANA,
  },
  {
    name: "username: one's own",
    as: ana,
    path: `eligibility/${ALGEBRA}/?username=ana`,
    status: 200,
    body: ALL_OF_ANA,
  },
  {
    name: "username: empty counts as absent",
    as: ana,
    path: `eligibility/${ALGEBRA}/?username=`,
    status: 200,
    body: ALL_OF_ANA,
  },
  {
    name: "username: no value counts as absent",
    as: ana,
    path: `eligibility/${ALGEBRA}/?username`,
    status: 200,
    body: ALL_OF_ANA,
  },
  {
    name: "username: another learner's",
    as: ana,
    path: `eligibility/${ALGEBRA}/?username=ben`,
    status: 403,
    body: NOT_YOURSELF,
  },
  {
    name: "username: an unknown one, with the same body",
    as: ana,
    path: `eligibility/${ALGEBRA}/?username=nobody`,
    status: 403,
    body: NOT_YOURSELF,
  },
  {
    name: "username: one's own in other letters is another's",
    as: ana,
    path: `eligibility/${ALGEBRA}/?username=Ana`,
    status: 403,
    body: NOT_YOURSELF,
  },
  {
    name: "username: one's own and a NUL byte is another's",
    as: ana,
    path: `eligibility/${ALGEBRA}/?username=ana%00`,
    status: 403,
    body: NOT_YOURSELF,
  },
  {
    name: "username: bytes that are not UTF-8 are another's",
    as: ana,
    path: `eligibility/${ALGEBRA}/?username=%FF`,
    status: 403,
    body: NOT_YOURSELF,
  },
  {
    name: "username: given twice",
    as: ana,
    path: `eligibility/${ALGEBRA}/?username=ana&username=ana`,
    status: 400,
    body: detail("username: give it once, not several times."),
  },
  {
    name: "username: given twice, another's first",
    as: ana,
    path: `eligibility/${ALGEBRA}/?username=ben&username=ana`,
    status: 403,
    body: NOT_YOURSELF,
  },
  {
    name: "staff: another learner's",
    as: staff,
    path: `eligibility/${ALGEBRA}/?username=ana`,
    status: 200,
    body: ALL_OF_ANA,
  },
  {
    name: "staff: both parameters, in any order",
    as: staff,
    path: `eligibility/${ALGEBRA}/?retrieval_func=${COMPLETIONS}&username=%61na`,
    status: 200,
    body: eligibility(ALGEBRA, ANA_2),
  },
  {
    name: "staff: a learner who can't access the context",
    as: staff,
    path: `eligibility/${ALGEBRA}/?username=zoe`,
    status: 200,
    body: NOTHING_ATTAINED,
  },
  {
    name: "staff: a plus sign in a username is written %2B",
    as: staff,
    path: `eligibility/${STATUSES}/?username=max%2B1`,
    status: 200,
    body: ofStatuses("null"),
  },
  {
    name: "staff: a plus sign is a space",
    as: staff,
    path: `eligibility/${STATUSES}/?username=max+1`,
    status: 404,
    body: detail('There is no learner named "max 1".'),
  },
  {
    name: "staff: an unknown learner",
    as: staff,
    path: `eligibility/${ALGEBRA}/?username=nobody`,
    status: 404,
    body: detail('There is no learner named "nobody".'),
  },
  {
    name: "staff: an unknown learner, also where nothing is configured",
    as: staff,
    path: "eligibility/course-v1:No+Such+Course/?username=%E7%8E%8B%F0%9F%8E%93",
    status: 404,
    body: detail('There is no learner named "王🎓".'),
  },
  {
    name: "staff: an enrolled user without a learner record",
    as: staff,
    path: `eligibility/${ALGEBRA}/?username=ghost`,
    status: 404,
    body: detail('There is no learner named "ghost".'),
  },
  {
    name: "staff: themselves, without a learner record",
    as: staff,
    path: `eligibility/${ALGEBRA}/`,
    status: 200,
    body: NOTHING_ATTAINED,
  },
  {
    name: "staff: themselves by name, without a learner record",
    as: staff,
    path: `eligibility/${ALGEBRA}/?username=registrar`,
    status: 200,
    body: NOTHING_ATTAINED,
  },
  {
    name: "staff: a context that does not exist",
    as: staff,
    path: "eligibility/path-v1:No+Such+Learning+Path/",
    status: 200,
    body: '{"context_key":"path-v1:No+Such+Learning+Path","credentials":[]}',
  },
  {
    name: "staff: a path that was withdrawn has no steps",
    as: staff,
    path: `eligibility/${GONE_PATH}/?username=ana`,
    status: 200,
    body: eligibility(
      GONE_PATH,
      '{"credential_type_id":2,"name":"Certificate of Completion","is_eligible":false,"existing_credential":null}',
    ),
  },
  {
    name: "staff: a NUL byte in a username",
    as: staff,
    path: `eligibility/${ALGEBRA}/?username=ana%00`,
    status: 400,
    body: detail("username contains the control character U+0000."),
  },
  {
    name: "staff: bytes that are not UTF-8 in a username",
    as: staff,
    path: `eligibility/${ALGEBRA}/?username=%FF`,
    status: 400,
    body: detail('username: "%FF" is not valid percent-encoding.'),
  },
  {
    name: "staff: malformed percent-encoding in a username",
    as: staff,
    path: `eligibility/${ALGEBRA}/?username=ana%`,
    status: 400,
    body: detail('username: "ana%" is not valid percent-encoding.'),
  },
  {
    name: "staff: a username of 256 characters",
    as: staff,
    path: `eligibility/${ALGEBRA}/?username=${"a".repeat(256)}`,
    status: 400,
    body: detail("username has 256 characters; at most 255 are accepted."),
  },
  {
    name: "a service that may read: another learner's",
    as: reader,
    path: `eligibility/${ALGEBRA}/?username=ana`,
    status: 200,
    body: ALL_OF_ANA,
  },
  {
    name: "a service that may write: another learner's",
    as: writer,
    path: `eligibility/${ALGEBRA}/?username=ana`,
    status: 200,
    body: ALL_OF_ANA,
  },
  {
    name: "a service: an unknown learner",
    as: reader,
    path: `eligibility/${ALGEBRA}/?username=nobody`,
    status: 404,
    body: detail('There is no learner named "nobody".'),
  },
  {
    name: "a service: itself, without a learner record",
    as: reader,
    path: `eligibility/${ALGEBRA}/`,
    status: 200,
    body: NOTHING_ATTAINED,
  },
];

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
