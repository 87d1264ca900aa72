import { Link } from "@tanstack/react-router";
import { MailState, type QueuedMail } from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import type { MailsWording } from "../languages/en/mails.js";
import { Button } from "../parts/button.js";
import { ListTable } from "../parts/list-table.js";
import { useMay } from "../parts/use-may.js";
import { useFormats, useWords } from "../reader/words.js";
import { MailStanding } from "./mail-states.js";

/** Mails with their states. Each can be sent again. */
export function MailTable({
  rows,
  words,
  isStale,
  onResend,
}: {
  readonly rows: readonly QueuedMail[];
  readonly words: MailsWording;
  /** Whether the next page is on its way. */
  readonly isStale: boolean;
  readonly onResend: (mail: QueuedMail) => void;
}) {
  const { credentials, shell } = useWords();
  const { moment } = useFormats();
  const may = useMay();
  return (
    <ListTable
      caption={shell.mails}
      headings={[credentials.one, credentials.learner, words.state, words.changed, words.action]}
      isStale={isStale}
    >
      {rows.map((mail) => (
        <tr key={mail.credentialUuid}>
          <td className="main-cell">
            <Link to="/credentials/$uuid" params={{ uuid: mail.credentialUuid }} className="row-link">
              <bdi>{mail.credentialType}</bdi>
            </Link>
            <span className="second">
              <code dir="ltr">{mail.learningContextKey}</code>
            </span>
          </td>
          <td>
            <Link to="/learners/$username" params={{ username: mail.username }}>
              <bdi>{mail.username}</bdi>
            </Link>
          </td>
          <td>
            <MailStanding of={mail.state} words={words} />
            {mail.resendCount > 0 && <span className="second">{words.resent(mail.resendCount)}</span>}
          </td>
          <td className="date">{mail.changeTime && moment(mail.changeTime)}</td>
          <td>
            <Button
              aria-label={`${credentials.resendMail}: ${mail.credentialType}, ${mail.username}`}
              why={mail.state === MailState.WAITING ? words.isWaiting : may("registrar")}
              onPress={() => onResend(mail)}
            >
              {credentials.resendMail}
            </Button>
          </td>
        </tr>
      ))}
    </ListTable>
  );
}
