import { learner } from "../callers.js";
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
} from "../contract-data.js";
import { type Exchange, eligibility, get } from "../exchange.js";
import { ANA_IN_ALGEBRA, ana, NOTHING_ATTAINED, NOTHING_IN_ALGEBRA } from "./answers.js";

/** GET eligibility/{learning_context_key}/: the content of the reports. */
export const reports: Exchange[] = [
  get(
    "by grades, by completion, by both; a total of exactly 60 reaches 60 (in floating point it would not)",
    ana,
    `eligibility/${ALGEBRA}/`,
    200,
    '{"context_key":"course-v1:Uni+Algebra+2026","credentials":[' +
      '{"credential_type_id":1,"name":"Certificate of Achievement","is_eligible":true,"existing_credential":null,' +
      '"current_grades":{"homework":31,"lab":59,"midterm":54,"final":66,"total":60},' +
      '"required_grades":{"final":55,"total":60}},' +
      '{"credential_type_id":2,"name":"Certificate of Completion","is_eligible":true,"existing_credential":null,' +
      '"current_completion":0.95,"required_completion":0.9},' +
      '{"credential_type_id":3,"name":"Diploma \\"with honours\\" – 優等","is_eligible":false,"existing_credential":null,' +
      '"current_grades":{"homework":31,"lab":59,"midterm":54,"final":66,"total":60},' +
      '"required_grades":{"total":60.5},"current_completion":0.95,"required_completion":0.5}]}',
  ),
  get(
    "nothing is configured",
    ana,
    `eligibility/${encodeURIComponent(CYRILLIC)}/`,
    200,
    '{"context_key":"course-v1:Uni+Алгебра+2026","credentials":[]}',
  ),
  report(
    "grades in the order of the policy, whatever they are named, then those outside it; at most 6 decimals; " +
      "extra credit; types without points and types not attempted count 0",
    ana,
    `${NAMES}/`,
    '{"credential_type_id":1,"name":"Certificate of Achievement","is_eligible":false,"existing_credential":null,' +
      '"current_grades":{"10":33.333333,"1":120,"2":0,"labs":0,"essay":66.666667,"constructor":0,"quiz":90,"total":38.666667},' +
      '"required_grades":{"10":12.5,"1":25,"2":50,"constructor":1,"bonus":10,"total":0}}',
  ),
  report(
    "extra credit lifts a total over 100",
    ana,
    `${EXTRA}/`,
    '{"credential_type_id":1,"name":"Certificate of Achievement","is_eligible":true,"existing_credential":null,' +
      '"current_grades":{"exam":120,"total":120},"required_grades":{"exam":100,"total":100}}',
  ),
  report(
    "0 points reach a requirement of 0",
    ana,
    `${ZERO}/`,
    '{"credential_type_id":1,"name":"Certificate of Achievement","is_eligible":true,"existing_credential":null,' +
      '"current_grades":{"exam":0,"total":0},"required_grades":{"exam":0,"total":0}}',
  ),
  report(
    "a learner who has not attempted a required type is not eligible, even if 0 is required",
    learner("eve"),
    `${ZERO}/`,
    '{"credential_type_id":1,"name":"Certificate of Achievement","is_eligible":false,"existing_credential":null,' +
      '"current_grades":{"exam":0,"total":0},"required_grades":{"exam":0,"total":0}}',
  ),
  report(
    "59.9999996 is 60 at 6 decimals",
    learner("eve"),
    `${ROUNDING}/`,
    '{"credential_type_id":1,"name":"Certificate of Achievement","is_eligible":true,"existing_credential":null,' +
      '"current_grades":{"exam":60,"total":60},"required_grades":{"total":60}}',
  ),
  report(
    "59.9999994 is not",
    learner("fay"),
    `${ROUNDING}/`,
    '{"credential_type_id":1,"name":"Certificate of Achievement","is_eligible":false,"existing_credential":null,' +
      '"current_grades":{"exam":59.999999,"total":59.999999},"required_grades":{"total":60}}',
  ),
  report(
    "a completion of a third, at 6 decimals",
    learner("max+1"),
    `${ALGEBRA}/?retrieval_func=${COMPLETIONS}`,
    '{"credential_type_id":2,"name":"Certificate of Completion","is_eligible":false,"existing_credential":null,' +
      '"current_completion":0.333333,"required_completion":0.9}',
  ),
  report(
    "a completion of 0.8999996 is 0.9 at 6 decimals",
    learner("eve"),
    `${ALGEBRA}/?retrieval_func=${COMPLETIONS}`,
    '{"credential_type_id":2,"name":"Certificate of Completion","is_eligible":true,"existing_credential":null,' +
      '"current_completion":0.9,"required_completion":0.9}',
  ),
  report(
    "a learning path: its steps in its order, each with its own options where it has them",
    ana,
    `${MATHS}/`,
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
  report(
    "a learning path: learners are not eligible in a step in which they are not enrolled",
    learner("dan"),
    `${MATHS}/?retrieval_func=${GRADES}`,
    '{"credential_type_id":1,"name":"Certificate of Achievement","is_eligible":false,"existing_credential":null,' +
      '"steps":{"course-v1:Uni+Extra+2026":{"is_eligible":false,' +
      '"current_grades":{"exam":0,"total":0},"required_grades":{"total":60}},' +
      '"course-v1:Uni+Algebra+2026":{"is_eligible":false,' +
      `"current_grades":${NOTHING_IN_ALGEBRA},"required_grades":{"lab":59,"final":50,"total":0}}}}`,
  ),
  report(
    "a learning path without steps makes nobody eligible",
    ana,
    `${EMPTY_PATH}/`,
    '{"credential_type_id":2,"name":"Certificate of Completion","is_eligible":false,"existing_credential":null}',
  ),
  report(
    "an open path without an enrolment: reported, not eligible",
    learner("zoe"),
    `${OPEN_PATH}/`,
    '{"credential_type_id":2,"name":"Certificate of Completion","is_eligible":false,"existing_credential":null,' +
      '"steps":{"course-v1:Uni+Opened+2026":{"is_eligible":false,"current_completion":0,"required_completion":0.9}}}',
  ),
  report(
    "a step of an open path without an enrolment: not eligible though nothing is required",
    learner("zoe"),
    `${OPENED}/`,
    '{"credential_type_id":2,"name":"Certificate of Completion","is_eligible":false,"existing_credential":null,' +
      '"current_completion":0,"required_completion":0}',
  ),
  get(
    "a step of a path, without an enrolment in the course: nothing attained",
    learner("dan"),
    `eligibility/${ALGEBRA}/`,
    200,
    NOTHING_ATTAINED,
  ),
  get(
    "enrolled, but without a learner record: nothing attained",
    learner("ghost"),
    `eligibility/${ALGEBRA}/`,
    200,
    NOTHING_ATTAINED,
  ),
];

function report(name: string, as: Exchange["as"], path: string, ...entries: string[]): Exchange {
  const [key = ""] = path.split("/", 1);
  return get(name, as, `eligibility/${path}`, 200, eligibility(key, ...entries));
}
