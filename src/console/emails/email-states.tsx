import { EmailState } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { CheckIcon, CrossIcon, ExpiredIcon, WaitingIcon, WarningIcon } from "../components/icons.js";
import { StateMark, type StatusAppearance } from "../components/status.js";
import { useChapter } from "../i18n/words.js";
import type { EmailStateName } from "./email-search.js";

const emailStateAppearances: Record<EmailStateName, StatusAppearance & { readonly state: EmailState }> = {
  waiting: { state: EmailState.WAITING, tone: "plain", Icon: WaitingIcon },
  sent: { state: EmailState.SENT, tone: "good", Icon: CheckIcon },
  refused: { state: EmailState.REFUSED, tone: "bad", Icon: CrossIcon },
  "no-address": { state: EmailState.NO_ADDRESS, tone: "warn", Icon: WarningIcon },
  dropped: { state: EmailState.DROPPED, tone: "plain", Icon: ExpiredIcon },
};

export function stateOf(name: EmailStateName | undefined): EmailState {
  return name === undefined ? EmailState.UNSPECIFIED : emailStateAppearances[name].state;
}

/** Shows nothing for a state that was added in a later release. */
export function EmailStatus({ of }: { readonly of: EmailState }) {
  const { states } = useChapter("emails");
  const names = Object.keys(emailStateAppearances) as EmailStateName[];
  const name = names.find((each) => emailStateAppearances[each].state === of);
  return name && <StateMark {...emailStateAppearances[name]}>{states[name]}</StateMark>;
}
