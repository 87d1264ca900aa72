import type { ReactNode } from "react";
import { MailState } from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import type { MailStateName, MailsWording } from "../languages/en/mails.js";
import { CheckIcon, CrossIcon, ExpiredIcon, WaitingIcon, WarningIcon } from "../parts/icons.js";

const looks: Record<
  MailStateName,
  { readonly state: MailState; readonly tone: string; readonly Icon: () => ReactNode }
> = {
  waiting: { state: MailState.WAITING, tone: "plain", Icon: WaitingIcon },
  sent: { state: MailState.SENT, tone: "good", Icon: CheckIcon },
  refused: { state: MailState.REFUSED, tone: "bad", Icon: CrossIcon },
  "no-address": { state: MailState.NO_ADDRESS, tone: "warn", Icon: WarningIcon },
  dropped: { state: MailState.DROPPED, tone: "plain", Icon: ExpiredIcon },
};

/** The state as an address names it; undefined for one of a later release. */
export function nameOf(state: MailState): MailStateName | undefined {
  const entries = Object.entries(looks) as [MailStateName, (typeof looks)[MailStateName]][];
  return entries.find(([, look]) => look.state === state)?.[0];
}

/** The state as the API has it. */
export function stateOf(name: MailStateName | undefined): MailState {
  return name === undefined ? MailState.UNSPECIFIED : looks[name].state;
}

/** A mail's state, told by word, icon and colour. */
export function MailStanding({ of, words }: { readonly of: MailState; readonly words: MailsWording }) {
  const name = nameOf(of);
  if (name === undefined) return null;
  const { tone, Icon } = looks[name];
  return (
    <span className={`standing tone-${tone}`}>
      <Icon />
      {words.states[name]}
    </span>
  );
}
