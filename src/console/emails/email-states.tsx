import { EmailState } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { CheckIcon, CrossIcon, ExpiredIcon, WaitingIcon, WarningIcon } from "../components/icons.js";
import { type Look, StateMark } from "../components/status.js";
import { useChapter } from "../i18n/words.js";
import type { EmailStateName } from "./email-search.js";

const looks: Record<EmailStateName, Look & { readonly state: EmailState }> = {
  waiting: { state: EmailState.WAITING, tone: "plain", Icon: WaitingIcon },
  sent: { state: EmailState.SENT, tone: "good", Icon: CheckIcon },
  refused: { state: EmailState.REFUSED, tone: "bad", Icon: CrossIcon },
  "no-address": { state: EmailState.NO_ADDRESS, tone: "warn", Icon: WarningIcon },
  dropped: { state: EmailState.DROPPED, tone: "plain", Icon: ExpiredIcon },
};

export function stateOf(name: EmailStateName | undefined): EmailState {
  return name === undefined ? EmailState.UNSPECIFIED : looks[name].state;
}

/** Shows nothing for a state that was added in a later release. */
export function EmailStatus({ of }: { readonly of: EmailState }) {
  const { states } = useChapter("emails");
  const names = Object.keys(looks) as EmailStateName[];
  const name = names.find((each) => looks[each].state === of);
  return name && <StateMark {...looks[name]}>{states[name]}</StateMark>;
}
