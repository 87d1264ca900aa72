import { expect, test } from "vitest";
import { decodeText, detectEncoding, readingsOf } from "#foundation/text/tables/decode-text.js";
import { encodingNamed, encodings, encodingsByWritingSystem } from "#foundation/text/tables/encodings.js";

/** Names as encoded by the codecs of Python 3.11. */
const written: readonly (readonly [encoding: string, name: string, bytes: string])[] = [
  ["ibm866", "Ирина", "88e0a8ada0"],
  ["iso-8859-2", "Łukasz Żółć", "a3756b61737a20aff3b3e6"],
  ["iso-8859-3", "Ġorġ Ħaż-Żabbar", "d56f72f520a161bf2daf6162626172"],
  ["iso-8859-4", "Jānis Bērziņš", "4ae06e69732042ba727a69f1b9"],
  ["iso-8859-5", "Ирина", "b8e0d8ddd0"],
  ["iso-8859-6", "مريم", "e5d1eae5"],
  ["iso-8859-7", "Γιώργος", "c3e9fef1e3eff2"],
  ["iso-8859-8", "שרה", "f9f8e4"],
  ["iso-8859-8-i", "שרה", "f9f8e4"],
  ["iso-8859-10", "Sámi Čuođđi", "53e16d6920c8756fb9b969"],
  ["iso-8859-13", "Žydrūnas", "de796472fb6e6173"],
  ["iso-8859-14", "Ŵyn Ẁ", "d0796e20a8"],
  ["iso-8859-15", "Šárka €", "a6e1726b6120a4"],
  ["iso-8859-16", "Ștefan Țuțea", "aa746566616e20de75fe6561"],
  ["koi8-r", "Ирина", "e9d2c9cec1"],
  ["koi8-u", "Ірина Їжак", "b6d2c9cec120b7d6c1cb"],
  ["macintosh", "José Ångström", "4a6f738e20816e677374729a6d"],
  ["windows-874", "สมชาย", "cac1aad2c2"],
  ["windows-1250", "Łukasz Żółć", "a3756b61737a20aff3b3e6"],
  ["windows-1251", "Ірина Їжак", "b2f0e8ede020afe6e0ea"],
  ["windows-1252", "Šárka Žáková €", "8ae1726b61208ee16b6f76e12080"],
  ["windows-1253", "Γιώργος", "c3e9fef1e3eff2"],
  ["windows-1254", "Şükrü Işık", "defc6b72fc2049fefd6b"],
  ["windows-1255", "שרה", "f9f8e4"],
  ["windows-1256", "مريم", "e3d1ede3"],
  ["windows-1257", "Jānis Bērziņš", "4ae26e69732042e7727a69f2f0"],
  ["windows-1258", "Đăng Ươ", "d0e36e6720ddf5"],
  ["x-mac-cyrillic", "Ирина", "88f0e8ede0"],
  ["gbk", "王小明", "cdf5d0a1c3f7"],
  ["gb18030", "王小明𠮷", "cdf5d0a1c3f79534b235"],
  ["big5", "陳大文", "b3afa46aa4e5"],
  ["euc-jp", "山田花子", "bbb3c5c4b2d6bbd2"],
  ["iso-2022-jp", "山田花子", "1b24423b33454432563b521b2842"],
  ["shift_jis", "山田花子", "8e52936389d48e71"],
  ["euc-kr", "김철수", "b1e8c3b6bcf6"],
];
const row = (bytes: string) =>
  new Uint8Array(Buffer.concat([Buffer.from("u1;"), Buffer.from(bytes, "hex"), Buffer.from(";95\r\n")]));

test("has a name in each encoding except those of Unicode", () => {
  const unicode: readonly string[] = encodingsByWritingSystem.unicode;
  expect(written.map(([encoding]) => encoding).sort()).toEqual(
    encodings.filter((each) => !unicode.includes(each)).sort(),
  );
});

test.each(written)(
  "%s is never taken for another encoding, and is read as stated: %s",
  (encoding, name, bytes) => {
    const file = row(bytes);
    expect(detectEncoding(file)).toBeUndefined();
    const known = encodingNamed(encoding);
    expect(known && decodeText(file, known)).toEqual({ text: `u1;${name};95\r\n` });
    const reading = readingsOf(file).find(({ encodings: own }) => own.some((each) => each === encoding));
    expect(reading?.cells).toEqual([name]);
  },
);

test.each([
  ["cp1250", "windows-1250"],
  [" Latin1 ", "windows-1252"],
  ["sjis", "shift_jis"],
  ["UTF8", "utf-8"],
  ["ISO-8859-16", "iso-8859-16"],
  ["cp850", undefined],
  ["x-user-defined", undefined],
  ["", undefined],
])("the label %j is %s", (label, encoding) => {
  expect(encodingNamed(label)).toBe(encoding);
});

test("encodings that give the same name are listed together, the reader's first", () => {
  const readings = readingsOf(row("a3756b61737a20aff3b3e6"), "windows-1251");
  expect(readings[0]).toMatchObject({ encodings: ["windows-1251"], cells: ["Јukasz Їуіж"] });
  expect(readings).toContainEqual({ encodings: ["windows-1250", "iso-8859-2"], cells: ["Łukasz Żółć"] });
});

test("encodings that differ in a single letter far down are listed separately, with the name that contains it", () => {
  const many = Array.from({ length: 20_000 }, (_, index) => Buffer.from(`u${index};Jos\xe9\r\n`, "latin1"));
  const file = Buffer.concat([...many, Buffer.from("z;Ren\xe9e \xa9ustr\r\n", "latin1")]);
  const readings = readingsOf(new Uint8Array(file));
  const cellsIn = (encoding: string) =>
    readings.find(({ encodings: own }) => own.some((each) => each === encoding))?.cells;
  expect(cellsIn("windows-1252")).toEqual(["José", "Renée ©ustr"]);
  expect(cellsIn("iso-8859-2")).toEqual(["José", "Renée Šustr"]);
});

test.each<[string, string, string, string]>([
  ["letters that Windows-1252 would have as controls", "iso-8859-2", "8a", "wrongEncoding"],
  ["bytes that Shift_JIS has not", "shift_jis", "fdfeff", "wrongEncoding"],
  ["bytes that UTF-8 has not", "utf-8", "a3756b", "wrongEncoding"],
  ["half a character of UTF-16", "utf-16le", "4a006f", "wrongEncoding"],
  ["replacement characters that were saved", "utf-8", "4a6f73efbfbd", "lostCharacters"],
  ["controls that were saved as UTF-8", "utf-8", "4a6f73c28e", "lostCharacters"],
  ["UTF-8 that was saved twice", "utf-8", "4a6f73c383c2a9", "decodedTwice"],
  ["UTF-8 that is stated to be Windows-1252", "windows-1252", "4a6f73c3a9", "decodedTwice"],
  ["a null", "utf-8", "4a6f7300", "binary"],
])("%s are refused", (_, encoding, bytes, fault) => {
  const known = encodingNamed(encoding);
  expect(known && decodeText(new Uint8Array(Buffer.from(bytes, "hex")), known)).toEqual({ fault });
});

test.each(["José", "„Ä“", "Škoda – Žižka", "Ærø", "Ân Dũng", "ÄÖÜ äöü ß", "€ 5", "Ñandú", "Ð", "Ãlvaro"])(
  "%s is not a text that was decoded twice",
  (name) => {
    expect(decodeText(new Uint8Array(Buffer.from(name)), "utf-8")).toEqual({ text: name });
  },
);
