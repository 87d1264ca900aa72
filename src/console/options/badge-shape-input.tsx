import type { JsonValue } from "@bufbuild/protobuf";
import { createContext, useContext, useId } from "react";
import { badgeColor } from "#foundation/color/badge-color.js";
import { useChapter } from "../i18n/words.js";
import { HOME } from "../service/home.js";
import { choiceName, useLateChapter } from "./late-words.js";
import "./options.css";

/** Path of the option for the shape of a badge's picture. */
export const BADGE_SHAPE = "open_badge.shape";

/** The accent colour of the design, in which badges are drawn. */
export const BadgeAccent = createContext<JsonValue | undefined>(undefined);

/** Selects the shape of a badge's picture among pictures of badges. */
export function BadgeShapeInput({
  choices,
  value,
  isReadOnly,
  onChange,
}: {
  readonly choices: readonly string[];
  readonly value: JsonValue | undefined;
  readonly isReadOnly: boolean;
  readonly onChange: (value: JsonValue | undefined) => void;
}) {
  const { notSet } = useChapter("designing");
  const words = useLateChapter("choices");
  const radios = useId();
  const color = badgeColor(useContext(BadgeAccent));
  return (
    <div className="badge-shapes">
      {["", ...choices].map((shape) => (
        <label key={shape} className="badge-shape">
          {shape && <img src={`${HOME}../badge-picture/${shape}-${color}.png`} alt="" loading="lazy" />}
          <span>
            <input
              type="radio"
              name={radios}
              checked={(value ?? "") === shape}
              disabled={isReadOnly}
              onChange={() => onChange(shape || undefined)}
            />{" "}
            {shape ? ((words && choiceName(BADGE_SHAPE, shape, words)) ?? shape) : notSet}
          </span>
        </label>
      ))}
    </div>
  );
}
