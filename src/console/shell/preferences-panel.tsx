import { useId, useState } from "react";
import { SettingsIcon } from "../components/icons.js";
import { lazily } from "../components/lazily.js";
import { useWords } from "../i18n/words.js";

const PreferencesForm = lazily(() => import("./preferences-form.js"), "PreferencesForm");

/** The reader's preferences, and a button to sign out. The content is loaded when the panel is opened. */
export function Preferences() {
  const { shell } = useWords();
  const id = useId();
  const [wasOpened, setOpened] = useState(false);
  return (
    <>
      <button type="button" className="button button-quiet" aria-label={shell.preferences} popoverTarget={id}>
        <SettingsIcon />
      </button>
      <section
        id={id}
        popover="auto"
        className="preferences"
        aria-label={shell.preferences}
        onToggle={() => setOpened(true)}
      >
        {wasOpened && <PreferencesForm />}
      </section>
    </>
  );
}
