import { textFor } from "#foundation/languages/message.js";
import { WebhookEndpointState } from "#gen/learning_credentials/v1/webhook_pb.js";
import { CheckIcon, CrossIcon, WaitingIcon } from "../components/icons.js";
import { StateMark, type StatusAppearance } from "../components/status.js";
import { useChapter } from "../i18n/words.js";

const paused: StatusAppearance = { tone: "plain", Icon: WaitingIcon };
const appearances: Partial<Record<WebhookEndpointState, StatusAppearance>> = {
  [WebhookEndpointState.ENABLED]: { tone: "good", Icon: CheckIcon },
  [WebhookEndpointState.DISABLED]: { tone: "bad", Icon: CrossIcon },
};

export function EndpointState({ of }: { readonly of: WebhookEndpointState }) {
  const { states } = useChapter("webhooks");
  return <StateMark {...(appearances[of] ?? paused)}>{textFor(states, WebhookEndpointState[of])}</StateMark>;
}
