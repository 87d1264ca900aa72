import { textFor } from "#foundation/languages/message.js";
import { WebhookEndpointState } from "#gen/learning_credentials/v1/webhook_pb.js";
import { CheckIcon, CrossIcon, WaitingIcon } from "../components/icons.js";
import { type Look, StateMark } from "../components/status.js";
import { useChapter } from "../i18n/words.js";

const paused: Look = { tone: "plain", Icon: WaitingIcon };
const looks: Partial<Record<WebhookEndpointState, Look>> = {
  [WebhookEndpointState.ENABLED]: { tone: "good", Icon: CheckIcon },
  [WebhookEndpointState.DISABLED]: { tone: "bad", Icon: CrossIcon },
};

export function EndpointState({ of }: { readonly of: WebhookEndpointState }) {
  const { states } = useChapter("webhooks");
  return <StateMark {...(looks[of] ?? paused)}>{textFor(states, WebhookEndpointState[of])}</StateMark>;
}
