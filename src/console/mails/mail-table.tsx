import { Link } from "@tanstack/react-router";
import {
  MailKind,
  MailState,
  type QueuedMail,
} from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import type { MailsWording } from "../languages/en/mails.js";
import { Button } from "../parts/button.js";
import { ListTable } from "../parts/list-table.js";
import { useMay } from "../parts/use-may.js";
import { useFormats, useWords } from "../reader/words.js";
import { MailStanding } from "./mail-states.js";

/** Mails with their states. Those that a credential is available can be sent again. */
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
      headings={[credentials.one, credentials.learner, words.kind, words.state, words.changed, words.action]}
      isStale={isStale}
    >
      {rows.map((mail) => (
        <tr key={`${mail.credentialUuid} ${mail.kind} ${mail.daysBeforeExpiry}`}>
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
          <td>{kindOf(mail, words)}</td>
          <td>
            <MailStanding of={mail.state} words={words} />
            {mail.resendCount > 0 && <span className="second">{words.resent(mail.resendCount)}</span>}
          </td>
          <td className="date">{mail.changeTime && moment(mail.changeTime)}</td>
          <td>
            {mail.kind === MailKind.AVAILABLE && (
              <Button
                aria-label={`${credentials.resendMail}: ${mail.credentialType}, ${mail.username}`}
                why={mail.state === MailState.WAITING ? words.isWaiting : may("registrar")}
                onPress={() => onResend(mail)}
              >
                {credentials.resendMail}
              </Button>
            )}
          </td>
        </tr>
      ))}
    </ListTable>
  );
}

/** What the mail tells; undefined for a kind of a later release. */
function kindOf({ kind, daysBeforeExpiry }: QueuedMail, { kinds }: MailsWording): string | undefined {
  if (kind === MailKind.AVAILABLE) return kinds.available;
  if (kind === MailKind.EXPIRY) return kinds.expiry(daysBeforeExpiry);
  return kind === MailKind.WITHDRAWAL ? kinds.withdrawal : undefined;
}
