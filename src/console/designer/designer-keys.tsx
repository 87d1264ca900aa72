import { Fact } from "../components/fact.js";
import { useChapter } from "../i18n/words.js";
import { actionKeys, keysInWords } from "./item-actions.js";

export function DesignerKeys() {
  const { acts, keys: ofSelection, undo, redo } = useChapter("designer");
  const { design, save } = useChapter("designing");
  const all = [
    ...Object.entries(actionKeys).map(([name, keys]) => [keys, acts[name as keyof typeof acts]] as const),
    [{ key: "Z" }, undo] as const,
    [{ key: "Z", shift: true }, redo] as const,
    [{ key: "S" }, save] as const,
  ];
  const labels = new Set(all.map(([keys]) => keysInWords(keys)));
  return (
    <>
      <h3>{design}</h3>
      <p>{ofSelection}</p>
      <dl className="facts">
        {[...labels].map((label) => (
          <Fact key={label} label={<kbd dir="ltr">{label}</kbd>}>
            {all
              .filter(([keys]) => keysInWords(keys) === label)
              .map(([, action]) => action)
              .join(" / ")}
          </Fact>
        ))}
      </dl>
    </>
  );
}
