import { useChapter } from "../i18n/chapter.js";

/** Keyboard shortcuts for the selection on the designer's page. */
export function DesignerKeys() {
  const words = useChapter("designer");
  const { design } = useChapter("designing");
  return (
    <>
      <h3>{design}</h3>
      <p>{words.keys}</p>
    </>
  );
}
