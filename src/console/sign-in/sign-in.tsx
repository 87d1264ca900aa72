import { useEffect, useState } from "react";
import { Button } from "../components/button.js";
import { CodeLine } from "../components/code-line.js";
import { SealMark } from "../components/icons.js";
import { language } from "../i18n/preferences.js";
import { useWords } from "../i18n/words.js";
import { HOME } from "../service/home.js";
import { pendingSecret, type SignInOutcome, signIn } from "../service/session.js";
import { settings } from "../service/settings.js";
import { useStore } from "../service/store.js";

/** Signs in with the opened link or through the identity provider. Otherwise, explains how to get a link. */
export function SignIn({
  hasEnded,
}: {
  /** Whether a user was signed in on this page before. */
  readonly hasEnded: boolean;
}) {
  const { signIn: words, failures } = useWords();
  const brought = useStore(pendingSecret);
  const [outcome, setOutcome] = useState<SignInOutcome>();
  const [unspent, setUnspent] = useState<string>();

  // If the user has opened a sign-in link, a new session begins. The page then doesn't say that the previous session
  // has ended.
  const [isEnded] = useState(hasEnded && brought === undefined);

  useEffect(() => {
    if (brought === undefined || pendingSecret.get() === undefined) return;
    pendingSecret.set(undefined);
    void signIn(brought).then((result) => {
      setOutcome(result);
      // If the service was unreachable, the secret hasn't been used yet.
      setUnspent(result === "away" ? brought : undefined);
    });
  }, [brought]);

  return (
    <main className="sign-in">
      <div className="card sign-in-card">
        <SealMark />
        <p className="eyebrow">
          <bdi>{settings.platformName}</bdi>
        </p>
        <h1>{words.heading}</h1>
        {isEnded && (
          <p role="status" className="notice notice-warn">
            {words.ended}
          </p>
        )}
        {outcome === "spent" && (
          <p role="alert" className="notice notice-bad">
            {words.spent}
          </p>
        )}
        {outcome === "away" && (
          <div role="alert" className="notice notice-bad">
            <p>{words.away}</p>
            <Button onPress={() => pendingSecret.set(unspent)}>{failures.again}</Button>
          </div>
        )}
        {settings.hasProvider && (
          <a className="button button-primary" href={providerAddress()}>
            {words.withProvider}
          </a>
        )}
        <p>{settings.hasProvider ? words.orByLink : words.byLink}</p>
        <CodeLine text={`learning-credentials console ${words.usernamePlaceholder}`} />
        {settings.contact !== "" && (
          <p>
            {words.ask}{" "}
            <a href={settings.contact.includes("://") ? settings.contact : `mailto:${settings.contact}`}>
              <bdi>{settings.contact}</bdi>
            </a>
          </p>
        )}
      </div>
    </main>
  );
}

function providerAddress(): string {
  const returnTo = `/console/${location.pathname.slice(HOME.length)}${location.search}`;
  return `${HOME}sign-in?${new URLSearchParams({ return: returnTo, lang: language.get() })}`;
}
