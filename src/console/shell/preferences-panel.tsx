import { useId } from "react";
import { languages, languageTags } from "../../languages/list.js";
import { SelectField } from "../components/fields.js";
import { SettingsIcon } from "../components/icons.js";
import {
  isLanguageTag,
  language,
  type Theme,
  type TimeZoneChoice,
  theme,
  timeZone,
} from "../i18n/preferences.js";
import { useWords } from "../i18n/words.js";
import { signOut } from "../service/session.js";
import { useStore } from "../service/store.js";

/** How the console looks to its reader, and the way out. */
export function Preferences() {
  const { shell } = useWords();
  const id = useId();
  const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const choose = {
    language: (tag: string) => isLanguageTag(tag) && language.set(tag),
    theme: (value: string) => theme.set(value as Theme),
    timeZone: (value: string) => timeZone.set(value as TimeZoneChoice),
  };
  return (
    <>
      <button type="button" className="button button-quiet" aria-label={shell.preferences} popoverTarget={id}>
        <SettingsIcon />
      </button>
      <section id={id} popover="auto" className="preferences" aria-label={shell.preferences}>
        <SelectField label={shell.language} value={useStore(language)} onChoose={choose.language}>
          {languageTags.map((tag) => (
            <option key={tag} value={tag} lang={tag}>
              {languages[tag].name}
            </option>
          ))}
        </SelectField>
        <SelectField label={shell.theme} value={useStore(theme)} onChoose={choose.theme}>
          <option value="system">{shell.themeSystem}</option>
          <option value="light">{shell.themeLight}</option>
          <option value="dark">{shell.themeDark}</option>
        </SelectField>
        <SelectField label={shell.timeZone} value={useStore(timeZone)} onChoose={choose.timeZone}>
          <option value="browser">{browserZone}</option>
          <option value="utc">UTC</option>
        </SelectField>
        <button type="button" className="button" onClick={() => void signOut()}>
          {shell.signOut}
        </button>
      </section>
    </>
  );
}
