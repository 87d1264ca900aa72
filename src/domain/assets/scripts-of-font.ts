import type { CharacterRanges } from "#formats/rendering/generator.js";

/** Letters that every text in a script needs, by the script's ISO 15924 code. */
const letters: Readonly<Record<string, string>> = {
  Latn: "AaEeNnZzÄäÇçÉéÑñÖö",
  Cyrl: "АаБбЖжЯяІіЇї",
  Grek: "ΑαΒβΩωΆά",
  Arab: "ابتجكلمنهوي",
  Hebr: "אבגלמנשת",
  Armn: "ԱաԲբՖֆ",
  Geor: "აბგჰ",
  Deva: "अकतनमरसा्",
  Beng: "অকতনমরসা্",
  Taml: "அகதநமரா்",
  Thai: "กขคนมรา่",
  Hira: "あいうかんの",
  Hang: "가나다라하한",
  Hans: "的一是人中国",
  Hant: "的一是人中國",
};

export function scriptsOf(characters: CharacterRanges): string[] {
  const has = (letter: string) => {
    const code = letter.codePointAt(0) ?? 0;
    return characters.some(([first, last]) => first <= code && code <= last);
  };
  return Object.keys(letters).filter((script) => [...(letters[script] ?? "")].every(has));
}
