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
  return Object.entries(of).map(([program, text]) => {
    const [before, ...steps] = partsOf(text);
    return (
      <details key={program} className="more-settings">
        <summary>{stepsIn({ name: names[program as keyof typeof names] })}</summary>
        {before && <p>{before}</p>}
        <ol className="steps">
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </details>
    );
  });
}

/** Returns what a text says before its numbered steps, which may be empty, and the steps without their numbers. */
function partsOf(text: string): readonly string[] {
  return text.split(/(?:^|\s)\d\.\s/);
}
