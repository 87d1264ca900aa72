import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes files of a fictional university, like those of a designer. Returns their paths. */
export function universityFiles(directory: string) {
  const drawn = (name: string, box: string, drawing: string) => {
    const file = join(directory, `${name}.svg`);
    writeFileSync(file, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}">${drawing}</svg>`);
    return file;
  };
  const font = join(directory, "Greywater Roman.ttf");
  copyFileSync(
    "node_modules/@expo-google-fonts/frank-ruhl-libre/500Medium/FrankRuhlLibre_500Medium.ttf",
    font,
  );
  const ink = (path: string) =>
    `<path d="${path}" fill="none" stroke="#1b2a4a" stroke-width="3" stroke-linecap="round"/>`;
  const rays = Array.from(
    { length: 24 },
    (_, at) => `<path d="M50 5v9" transform="rotate(${at * 15} 50 50)"/>`,
  );
  const waves =
    "M25 52q6 -7 12.500 0t12.500 0t12.500 0t12.500 0M25 61q6 -7 12.500 0t12.500 0t12.500 0t12.500 0";
  return {
    font,
    crest: drawn(
      "crest",
      "0 0 100 112",
      `<path d="M8 6h84v52q0 34-42 50q-42-16-42-50z" fill="#1f4a5f"/>
      <path d="M14 12h72v45q0 29-36 44q-36-15-36-44z" fill="none" stroke="#fff" stroke-width="1.500"/>
      <path d="M50 22l4 12h12l-10 7 4 12-10-7-10 7 4-12-10-7h12z" fill="#fff"/>
      <path d="M24 68q6.500-7 13 0t13 0 13 0 13 0M28 78q5.500-6 11 0t11 0 11 0 11 0" fill="none" stroke="#fff" stroke-width="2.500"/>`,
    ),
    seal: drawn(
      "seal",
      "0 0 100 100",
      `<g fill="none" stroke="#1f4a5f"><circle cx="50" cy="50" r="47" stroke-width="1.500"/>
      <circle cx="50" cy="50" r="33"/><g stroke-width="1.200">${rays.join("")}</g>
      <path d="${waves}" stroke-width="2"/></g><path d="M50 24l3 9h9l-7 5 3 9-8-5-8 5 3-9-7-5h9z" fill="#1f4a5f"/>`,
    ),
    signatories: [
      {
        name: "Prof. Dr. Ada Moreau",
        office: "Rector · Rectora",
        picture: drawn(
          "hand-of-ada",
          "0 0 200 60",
          ink(
            "M10 48C30 40 42 4 48 6s-14 44-4 42 18-26 24-24-8 22 0 22 14-20 20-18-4 18 4 18 14-36 20-38 0 38 8 36 20-16 26-14 8 10 44 2",
          ),
        ),
      },
      {
        name: "Dr. Inés Calderón",
        office: "Dean of Studies · Decana",
        picture: drawn(
          "hand-of-ines",
          "0 0 200 60",
          ink(
            "M14 10c16-4 30-4 40-2M34 10c-4 14-10 26-14 40 10 0 20-4 26-12M60 46c2-10 6-16 12-18 2 8-2 16 4 16s10-20 18-18-4 18 6 16 18-34 22-32-16 36-4 34 22-14 60-12",
          ),
        ),
      },
    ],
  };
}
