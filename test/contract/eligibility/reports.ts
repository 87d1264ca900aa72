import {
  ALGEBRA,
  COMPLETIONS,
  CYRILLIC,
  EMPTY_PATH,
  EXTRA,
  GRADES,
  MATHS,
  NAMES,
  OPEN_PATH,
  OPENED,
  ROUNDING,
  ZERO,
} from "../academy.js";
import { learner } from "../callers.js";
import { type Exchange, eligibility } from "../exchange.js";
import { ANA_IN_ALGEBRA, ana, NOTHING_ATTAINED, NOTHING_IN_ALGEBRA } from "./answers.js";

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
