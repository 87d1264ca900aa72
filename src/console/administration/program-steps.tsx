import { useChapter } from "../i18n/words.js";

/** Names of programs, which are the same in all languages. */
const names = {
  keycloak: "Keycloak",
  entra: "Microsoft Entra ID",
  google: "Google",
  moodle: "Moodle",
  canvas: "Canvas",
  openedx: "Open edX",
};

/** Says what to do in other programs, with the names of their menus. */
export function ProgramSteps({ of }: { readonly of: Partial<Record<keyof typeof names, string>> }) {
  const { stepsIn } = useChapter("administration");
  return Object.entries(of).map(([program, steps]) => (
    <details key={program} className="more-settings">
      <summary>{stepsIn({ name: names[program as keyof typeof names] })}</summary>
      <p>{steps}</p>
    </details>
  ));
}
