import { learner } from "../callers.js";
import { ALGEBRA, STATUSES } from "../contract-data.js";
import { eligibility } from "../exchange.js";

export const ana = learner("ana");

export const ANA_IN_ALGEBRA = '{"homework":31,"lab":59,"midterm":54,"final":66,"total":60}';
export const NOTHING_IN_ALGEBRA = '{"homework":0,"lab":0,"midterm":0,"final":0,"total":0}';

export const ANA_1 =
  '{"credential_type_id":1,"name":"Certificate of Achievement","is_eligible":true,"existing_credential":null,' +
  `"current_grades":${ANA_IN_ALGEBRA},"required_grades":{"final":55,"total":60}}`;
export const ANA_2 =
  '{"credential_type_id":2,"name":"Certificate of Completion","is_eligible":true,"existing_credential":null,' +
  '"current_completion":0.95,"required_completion":0.9}';
export const ANA_3 =
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

export const ALL_OF_ANA = eligibility(ALGEBRA, ANA_1, ANA_2, ANA_3);
export const NOTHING_ATTAINED = eligibility(ALGEBRA, NOBODY_1, NOBODY_2, NOBODY_3);

export function ofStatuses(existing: string): string {
  return eligibility(
    STATUSES,
    '{"credential_type_id":2,"name":"Certificate of Completion","is_eligible":false,' +
      `"existing_credential":${existing},"current_completion":0,"required_completion":0.9}`,
  );
}
