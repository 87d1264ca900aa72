import { textFor } from "#foundation/languages/message.js";
import { IssuanceRunState } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import { CheckIcon, CrossIcon, WaitingIcon } from "../components/icons.js";
import { StateMark, type StatusAppearance } from "../components/status.js";
import { useChapter } from "../i18n/words.js";

const running: StatusAppearance = { tone: "plain", Icon: WaitingIcon };
const ended: Partial<Record<IssuanceRunState, StatusAppearance>> = {
  [IssuanceRunState.COMPLETE]: { tone: "good", Icon: CheckIcon },
  [IssuanceRunState.CANCELLED]: { tone: "bad", Icon: CrossIcon },
};

export function RunState({ of }: { readonly of: IssuanceRunState }) {
  const { states } = useChapter("issuing").runs;
  return <StateMark {...(ended[of] ?? running)}>{textFor(states, IssuanceRunState[of])}</StateMark>;
}
