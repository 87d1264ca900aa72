import { languages, languageTags } from "#foundation/languages/list.js";
import { SelectField } from "../components/fields.js";
import {
  isConsoleLanguage,
  language,
  type Theme,
  type TimeZoneChoice,
  theme,
  timeZone,
} from "../i18n/preferences.js";
import { useWords } from "../i18n/words.js";
import { signOut } from "../service/session.js";
import { useStore } from "../service/store.js";

export function PreferencesForm() {
  const { shell } = useWords();
  const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const choose = {
    language: (tag: string) => isConsoleLanguage(tag) && language.set(tag),
    theme: (value: string) => theme.set(value as Theme),
    timeZone: (value: string) => timeZone.set(value as TimeZoneChoice),
  };
  return (
    <>
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
    </>
  );
}
