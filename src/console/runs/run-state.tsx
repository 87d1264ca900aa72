import { IssuanceRunState } from "../../../gen/learning_credentials/v1/issuance_run_pb.js";
import { CheckIcon, CrossIcon, WaitingIcon } from "../parts/icons.js";
import { useWords } from "../reader/words.js";

/** The state of a run, by word, icon and colour. */
export function RunState({ of }: { readonly of: IssuanceRunState }) {
  const { states } = useWords().issuing.runs;
  if (of === IssuanceRunState.COMPLETE) {
    return (
      <span className="standing tone-good">
        <CheckIcon />
        {states.complete}
      </span>
    );
  }
  if (of === IssuanceRunState.CANCELLED) {
    return (
      <span className="standing tone-bad">
        <CrossIcon />
        {states.cancelled}
      </span>
    );
  }
  return (
    <span className="standing tone-plain">
      <WaitingIcon />
      {states.running}
    </span>
  );
}
