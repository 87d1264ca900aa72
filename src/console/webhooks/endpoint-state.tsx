import { WebhookEndpointState } from "../../../gen/learning_credentials/v1/webhook_pb.js";
import { CheckIcon, CrossIcon, WaitingIcon } from "../parts/icons.js";
import { useWords } from "../reader/words.js";

/** The state of an endpoint, by word, icon and colour. */
export function EndpointState({ of }: { readonly of: WebhookEndpointState }) {
  const { states } = useWords().webhooks;
  if (of === WebhookEndpointState.ENABLED) {
    return (
      <span className="standing tone-good">
        <CheckIcon />
        {states.enabled}
      </span>
    );
  }
  if (of === WebhookEndpointState.DISABLED) {
    return (
      <span className="standing tone-bad">
        <CrossIcon />
        {states.disabled}
      </span>
    );
  }
  return (
    <span className="standing tone-plain">
      <WaitingIcon />
      {states.paused}
    </span>
  );
}
