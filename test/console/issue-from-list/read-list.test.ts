import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readDay } from "#console/issue-from-list/days.js";
import { type GuessedColumns, guessColumns } from "#console/issue-from-list/guess-columns.js";
import { listLearners } from "#console/issue-from-list/listed-learners.js";
import { readList } from "#console/issue-from-list/read-list.js";
import { writeRejects } from "#console/issue-from-list/rejects.js";
import { storedMeanings, storeMeanings } from "#console/issue-from-list/stored-columns.js";
import type { Choices } from "#console/issue-from-list/uploaded-list.js";
import { decodeText, detectEncoding, nonTextKindOf } from "#foundation/text/tables/decode-text.js";
import type { Encoding } from "#foundation/text/tables/encodings.js";
import { plainCell } from "#foundation/text/tables/plain-cell.js";
import { readTable } from "#foundation/text/tables/read-table.js";
import type { Table } from "#foundation/text/tables/table.js";
import { MAX_ROWS, usualDelimiter, writeCsv, writeSheet } from "#foundation/text/tables/write-csv.js";
import { madeWorkbook } from "../../text/tables/made-workbook.js";

const bytes = (text: string, encoding: BufferEncoding = "utf8") =>
  new Uint8Array(Buffer.from(text, encoding));
const utf16be = (text: string) => new Uint8Array(Buffer.from(text, "utf16le").swap16());
const bytesOf = (...values: number[]) => Uint8Array.from(values);

const most = 5000;

function tableOf(text: string, delimiter?: "," | ";"): Table {
  const table = readTable(text, { most, delimiter });
  if ("fault" in table) throw new Error(JSON.stringify(table));
  return table;
}

const cellsOf = (text: string) => tableOf(text).rows.map(({ cells }) => cells);

test.each<[string, Uint8Array, string, Encoding]>([
  ["Excel, CSV UTF-8", bytes("\ufeffJosé;1"), "José;1", "utf-8"],
  ["LibreOffice, UTF-8", bytes("José;1"), "José;1", "utf-8"],
  ["Excel, Unicode text", bytes("\ufeffJosé\t1", "utf16le"), "José\t1", "utf-16le"],
  ["LibreOffice, UTF-16", bytes("José,1\n", "utf16le"), "José,1\n", "utf-16le"],
  ["UTF-16, high byte first, with mark", utf16be("\ufeffІрина,1"), "Ірина,1", "utf-16be"],
  ["UTF-16, high byte first", utf16be("José,1"), "José,1", "utf-16be"],
  ["plain ASCII", bytes("ana"), "ana", "utf-8"],
  ["an empty file", bytes(""), "", "utf-8"],
])("decodes %s", (_, file, text, encoding) => {
  expect(detectEncoding(file)).toBe(encoding);
  expect(decodeText(file, encoding)).toEqual({ text });
  expect(nonTextKindOf(file)).toBeUndefined();
});

test.each<[string, Uint8Array, string]>([
  ["an archive, as workbooks are", bytesOf(0x50, 0x4b, 3, 4, 20, 0), "zip"],
  ["an old Excel workbook", bytesOf(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1), "workbook"],
  ["a picture", bytesOf(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49), "binary"],
])("recognises %s", (_, file, kind) => {
  expect(nonTextKindOf(file)).toBe(kind);
});

test.each<[string, string, string[][]]>([
  [
    "commas",
    "name,mail\r\nAna,a@x.org\r\n",
    [
      ["name", "mail"],
      ["Ana", "a@x.org"],
    ],
  ],
  [
    "semicolons, with commas in cells",
    "Kovač, Ana;87,5\nDurán, Leo;90\n",
    [
      ["Kovač, Ana", "87,5"],
      ["Durán, Leo", "90"],
    ],
  ],
  [
    "cells pasted from a spreadsheet",
    "ana\tAna, Kovač\nleo\tLeo",
    [
      ["ana", "Ana, Kovač"],
      ["leo", "Leo"],
    ],
  ],
  [
    "bars",
    "ana|Ana\nleo|Leo",
    [
      ["ana", "Ana"],
      ["leo", "Leo"],
    ],
  ],
  [
    "the line for Excel",
    "sep=;\r\nana,1;x\r\nleo;y\r\n",
    [
      ["ana,1", "x"],
      ["leo", "y"],
    ],
  ],
  ["the line for Excel, a tab", "sep=\t\nana\tx", [["ana", "x"]]],
  ["the line for Excel, quoted", '"sep=|"\nana|x', [["ana", "x"]]],
  ["one column", "ana\nleo\n", [["ana"], ["leo"]]],
  [
    "quoted cells",
    '"a;b";"say ""hi"""\n"c";"d"',
    [
      ["a;b", 'say "hi"'],
      ["c", "d"],
    ],
  ],
  [
    "a cell of two lines",
    'ana,"Ana\nKovač"\nleo,Leo',
    [
      ["ana", "Ana Kovač"],
      ["leo", "Leo"],
    ],
  ],
  [
    "apostrophes as quotes",
    "'ana','Kovač, Ana'\n'leo','Durán, Leo'",
    [
      ["ana", "Kovač, Ana"],
      ["leo", "Durán, Leo"],
    ],
  ],
  [
    "a name with an apostrophe",
    "'t Hooft,thooft\nO'Neil,oneil",
    [
      ["'t Hooft", "thooft"],
      ["O'Neil", "oneil"],
    ],
  ],
  [
    "quotes within a cell",
    'ana,Ana "Ani" Kovač\nleo,Leo',
    [
      ["ana", 'Ana "Ani" Kovač'],
      ["leo", "Leo"],
    ],
  ],
  [
    "old Macintosh line ends",
    "ana,1\rleo,2\r",
    [
      ["ana", "1"],
      ["leo", "2"],
    ],
  ],
  [
    "numbers kept as text",
    '="001",ana\n="002",leo',
    [
      ["001", "ana"],
      ["002", "leo"],
    ],
  ],
  [
    "numbers kept as text, quoted",
    '"=""001""",ana\n"=""002""",leo',
    [
      ["001", "ana"],
      ["002", "leo"],
    ],
  ],
  [
    "rows of different lengths",
    "a,b,c\nd,e\nf,g,h",
    [
      ["a", "b", "c"],
      ["d", "e"],
      ["f", "g", "h"],
    ],
  ],
])("reads %s", (_, text, cells) => {
  expect(cellsOf(text)).toEqual(cells);
});

test("numbers rows like a spreadsheet: empty rows are numbered, and a cell of two lines is in one row", () => {
  const { rows } = tableOf('username,name\r\n\r\nana,"Ana\nKovač"\r\n,\r\nleo,Leo\r\n');
  expect(rows.map(({ number, cells }) => [number, cells[0]])).toEqual([
    [1, "username"],
    [3, "ana"],
    [5, "leo"],
  ]);
});

test.each<[string, string, object]>([
  ["nothing", " \n\n,,\n", { fault: "empty" }],
  ["too many columns", `a\n${",".repeat(200)}b`, { fault: "tooManyColumns", row: 2, line: 2, count: 201 }],
  ["a quote that is never closed", 'ana,1\nleo,"Leo\nmia,3\n', { fault: "openQuote", row: 2, line: 3 }],
])("refuses %s", (_, text, fault) => {
  expect(readTable(text, { most })).toEqual(fault);
});

test("takes 5,000 rows below the headings", () => {
  expect(tableOf(`username\n${"a\n".repeat(5000)}`).rows).toHaveLength(5001);
});

test.each<[string, string]>([
  [" ana\u00a0", "ana"],
  ["\ufeffana\u200b", "ana"],
  ['="01"', "01"],
  ["'01", "01"],
  ["'=HYPERLINK(1)", "=HYPERLINK(1)"],
  ["'s Gravesande", "'s Gravesande"],
  ["’t Hooft", "’t Hooft"],
])("shows the cell %j as %j", (cell, shown) => {
  expect(plainCell(cell)).toBe(shown);
});

test.each<[string, string, boolean, (string | undefined)[]]>([
  ["English", "Username,E-mail,Full name\nx,y,z", true, ["username", "email", "fullName"]],
  [
    "Spanish",
    "Nombre de usuario;Correo electrónico;Nombre;Apellidos\na;b;c;d",
    true,
    ["username", "email", "givenName", "familyName"],
  ],
  [
    "French",
    "Nom d’utilisateur;Adresse e-mail;Prénom;Nom\na;b;c;d",
    true,
    ["username", "email", "givenName", "familyName"],
  ],
  [
    "German",
    "Benutzername;E-Mail-Adresse;Vollständiger Name\na;b;c",
    true,
    ["username", "email", "fullName"],
  ],
  ["Arabic", "اسم المستخدم,البريد الإلكتروني,الاسم الكامل\na,b,c", true, ["username", "email", "fullName"]],
  [
    "Ukrainian",
    "Ім'я користувача;Електронна пошта;Прізвище та ім'я\na;b;c",
    true,
    ["username", "email", "fullName"],
  ],
  [
    "Italian",
    "Nome utente;Indirizzo e-mail;Nome;Cognome\na;b;c;d",
    true,
    ["username", "email", "givenName", "familyName"],
  ],
  [
    "Portuguese",
    "Nome de usuário;Endereço de e-mail;Nome completo\na;b;c",
    true,
    ["username", "email", "fullName"],
  ],
  [
    "a grade report",
    "Student ID,Email,Username,Grade\n7,ana@x.org,ana,0.8",
    true,
    ["learnerId", "email", "username", undefined],
  ],
  [
    "facts, if what is below fits",
    "Matrikelnummer;Benutzername;Grade;Stunden;Verleihungsdatum;Note\n1;ana;85,5 %;60;30.06.2026;1,3",
    true,
    ["learnerId", "username", "grade", "hours", "awardDate", "letterGrade"],
  ],
  [
    "names as lists sort them, and grades in percent, whatever their headings",
    'Matrikelnummer;"Nachname, Vorname";Note\n1;Kovač, Ana;94 %\n2;d’Ormesson, Jean;88 %',
    true,
    ["learnerId", "sortedName", "grade"],
  ],
  [
    "facts that don't fit",
    "username,grade,hours,awarded\nana,good,two,soon",
    true,
    ["username", undefined, undefined, undefined],
  ],
  [
    "grades on another scale, and days of which either part may be the month",
    "username,grade,awarded\nana,1.3,06/07/2026",
    true,
    ["username", "letterGrade", "awardDate"],
  ],
  ...[
    ["Benutzername", "Note", "Bestanden", "Datum"],
    ["Utente", "Voto", "Superato", "Data"],
    ["Usuario", "Nota", "Aprobado", "Fecha"],
    ["Utilisateur", "Note", "Réussi", "Date"],
    ["Usuário", "Nota", "Aprovado", "Data"],
    ["Користувач", "Оцінка", "Зараховано", "Дата"],
    ["المستخدم", "الدرجة", "ناجح", "التاريخ"],
  ].map((headings): [string, string, boolean, (string | undefined)[]] => [
    `grades as people write them: ${headings.join()}`,
    `${headings.join(";")}\nana;1,3;ja;30.06.2026\nleo;2,0;nein;30.06.2026`,
    true,
    ["username", "letterGrade", "passed", "awardDate"],
  ]),
  [
    "a gradebook of Canvas",
    'Student,ID,SIS User ID,SIS Login ID,Section,Essay (17),Final Score\n    Points Possible,,,,,10,(read only)\n"Kovač, Ana",4,S1,ana,A,9,88.10',
    true,
    ["sortedName", undefined, "learnerId", "username", undefined, undefined, undefined],
  ],
  [
    "a gradebook of Moodle",
    "First name,Last name,ID number,Email address,Course total (Percentage)\nAna,Kovač,17,ana@x.org,85.50 %",
    true,
    ["givenName", "familyName", "learnerId", "email", "grade"],
  ],
  [
    "no headings",
    "ana,Ana Kovač,ana@x.org\nleo,Leo Durán,leo@x.org",
    false,
    ["username", "fullName", "email"],
  ],
  ["usernames alone", "ana\nleo\nmia", false, ["username"]],
  ["addresses alone", "ana@x.org\nleo@x.org", false, ["email"]],
  ["a heading nobody knows", "Kontakt\nana@x.org\nleo@x.org", true, ["email"]],
  [
    "numbers and grades",
    "Nr,Email,Note\n1,a@x.org,1.3\n2,b@x.org,2.0",
    true,
    [undefined, "email", "letterGrade"],
  ],
  ["two columns of addresses", "mail,private\na@x.org,b@x.org\nc@x.org,d@x.org", true, ["email", undefined]],
])("guesses the columns: %s", (_, text, hasHeadings, meanings) => {
  expect(guessColumns(tableOf(text))).toEqual({ hasHeadings, meanings });
});

test("lists learners with their rows, and rejected rows with the reason", () => {
  const table = tableOf(
    "username,mail,first name,surname\nana,Ana@x.org,Ana,Kovač\n,,Leo,Durán\nmia,mia(at)x.org,Mia,\nana,,,\nbo,ana@X.org,,",
  );
  const list = listLearners(table, guessColumns(table));
  expect(list.learners).toEqual([
    { row: 2, username: "ana", email: "Ana@x.org", fullName: "Ana Kovač", facts: {} },
  ]);
  expect(list.faulty.map(({ learner, reason }) => [learner.row, reason])).toEqual([
    [3, { fault: "no-learner" }],
    [4, { fault: "malformed-email", email: "mia(at)x.org" }],
    [5, { fault: "listed-twice", firstRow: 2 }],
    [6, { fault: "listed-twice", firstRow: 2 }],
  ]);
});

test("text written as CSV is read back unchanged, and starts no formula", () => {
  const cell = fc.string({ unit: "grapheme" }).map(plainCell);
  const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(rows, fc.constantFrom("," as const, ";" as const), (written, delimiter) => {
      const text = writeCsv([["x", "y"], ...written], delimiter);
      for (const row of tableOf(text, delimiter).rows) {
        const cells = written[row.number - 2] ?? ["x", "y"];
        expect(row.cells).toEqual(cells);
      }
      const raw = parse(text, { delimiter, bom: true, relax_column_count: true });
      expect(raw.flat().filter((each) => /^\s*[=+@-]/.test(each))).toEqual([]);
    }),
  );
});

test("neutralises formulas", () => {
  expect(writeCsv([["=1+1", "+49", "-x", "@y", "\t=2", " \u200b=3", "＝4", "Ana"]], ",")).toBe(
    "\ufeff'=1+1,'+49,'-x,'@y,'=2,'\u200b=3,'＝4,Ana\r\n",
  );
});

test("splits at the semicolon if decimals have a comma", () => {
  expect(["en", "es", "fr", "de", "uk", "it", "pt"].map(usualDelimiter)).toEqual([
    ",",
    ";",
    ";",
    ";",
    ";",
    ";",
    ";",
  ]);
});

test("a sheet has the usual delimiter, and ends at the last row that programs open", () => {
  expect(writeSheet([["name"], ["Ana; Bo"], ["Cleo, Dora"]], "de")).toEqual({
    text: '\ufeffname\r\n"Ana; Bo"\r\nCleo, Dora\r\n',
    isShortened: false,
  });
  const rows = Array.from({ length: 1 + MAX_ROWS }, () => ["1"]);
  const complete = writeSheet(rows, "en");
  expect(complete.isShortened).toBe(false);
  const shortened = writeSheet([...rows, ["last"]], "en");
  expect(shortened.isShortened).toBe(true);
  expect(shortened.text === complete.text).toBe(true);
});

test("rejected rows come back unchanged, with row number and reason in front, and can be uploaded again", () => {
  const table = tableOf("username;mail\nana;a@x.org\nleo;l@x.org\n");
  const columns = guessColumns(table);
  const headings = { row: "Row", reason: "Reason" };
  const text = writeRejects(table, columns, [{ row: 3, reason: "Not known; check it" }], headings, ",");
  expect(text).toBe('\ufeffRow;Reason;username;mail\r\n3;"Not known; check it";leo;l@x.org\r\n');
  const again = tableOf(text);
  expect(listLearners(again, guessColumns(again)).learners).toEqual([
    { row: 2, username: "leo", email: "l@x.org", fullName: "", facts: {} },
  ]);
});

const meaning = (...meanings: GuessedColumns["meanings"]): GuessedColumns => ({
  hasHeadings: true,
  meanings,
});

test("reads facts from rows, and reports invalid ones", () => {
  const table = tableOf(
    "u;id;grade;hours;day;text\na;1;85,123456789;60,5;1.7.2026;x  y\nb;;-;;;\nc;;good;;;\nd;;;many;;\ne;;;;06/07/2026;\nf;;#N/A;;;\ng;;201;;;",
  );
  const columns = meaning("username", "learnerId", "grade", "hours", "awardDate", "attribute.prize");
  const { learners, faulty } = listLearners(table, columns);
  expect(learners.map(({ facts }) => facts)).toEqual([
    { learnerId: "1", grade: 85.123456, hours: 60.5, awardDate: "2026-07-01", attributes: { prize: "x y" } },
    {},
  ]);
  expect(faulty.map(({ reason }) => reason.fault)).toEqual([
    "malformed-grade",
    "malformed-hours",
    "malformed-day",
    "error-value",
    "malformed-grade",
  ]);
});

test.each<[string, string | undefined]>([
  ["2026-06-30", "2026-06-30"],
  ["2026/6/3", "2026-06-03"],
  ["30.06.2026", "2026-06-30"],
  ["30/06/2026", "2026-06-30"],
  ["06/30/2026", "2026-06-30"],
  ["06/06/2026", "2026-06-06"],
  ["06/07/2026", undefined],
  ["31.02.2026", undefined],
  ["soon", undefined],
  ["2026-04-03T00:00:00Z", "2026-04-03"],
  ["2026-04-03 10:00", "2026-04-03"],
  ["3 April 2026", "2026-04-03"],
  ["Friday, 3 April 2026, 10:00 AM", "2026-04-03"],
  ["April 3rd, 2026", "2026-04-03"],
  ["3-Apr-2026", "2026-04-03"],
  ["3. März 2026", "2026-03-03"],
  ["3 de abril de 2026", "2026-04-03"],
  ["1er août 2026", "2026-08-01"],
  ["3 квітня 2026 р.", "2026-04-03"],
  ["٣ أبريل ٢٠٢٦", "2026-04-03"],
  ["31 April 2026", undefined],
  ["3 Foo 2026", undefined],
  ["3 April 26", undefined],
])("reads the day %j as %j", (cell, day) => {
  expect(readDay({ cells: [cell] }, 0)).toBe(day);
});

test("requires the meaning of 0.855 before it makes a list, and reads a gradebook without its notes", () => {
  const text =
    'Student,ID,SIS Login ID,Final Score\n    Points Possible,,,(read only)\n"Kovač, Ana",4,ana,0.855\n"Student, Test",5,f0e1,\n';
  const meanings = ["sortedName", undefined, "username", "grade"] as const;
  const given = (choices: Choices) =>
    readList({ source: { kind: "text", text }, choices: { meanings, ...choices } }, "en");
  expect(given({})).toMatchObject({ unclearGrades: { may: "fractions", example: "0.855" } });
  expect(given({}).list).toBeUndefined();
  const gradesOf = (choices: Choices) =>
    given(choices).list?.learners.map(({ fullName, facts }) => [fullName, facts.grade]);
  expect(gradesOf({ gradesAre: "fractions" })).toEqual([["Ana Kovač", 85.5]]);
  expect(gradesOf({ gradesAre: "percentages" })).toEqual([["Ana Kovač", 0.855]]);
});

test("uses the learner ID as username if no column has usernames, once someone confirms it", () => {
  const text = "Matrikelnummer;Name\n17;Kovač, Ana\n;Durán, Leo\n17;Moss, Mia";
  const read = (choices: Choices) => readList({ source: { kind: "text", text }, choices }, "de");
  expect(read({})).toMatchObject({ fault: { fault: "noColumn" } });
  const { list } = read({ isKnownById: true });
  expect(list?.learners).toMatchObject([
    { username: "17", fullName: "Ana Kovač", facts: { learnerId: "17" } },
  ]);
  expect(list?.faulty.map(({ reason }) => reason)).toEqual([
    { fault: "no-learner" },
    { fault: "listed-twice", firstRow: 2 },
  ]);
  const meanings = ["learnerId", "username"] as const;
  expect(read({ isKnownById: true, meanings }).list?.learners[0]).toMatchObject({ username: "Kovač, Ana" });
});

test("reads a workbook by its sheet, with the same limits", () => {
  const cell = (text: string) => `<row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row>`;
  const bytes = madeWorkbook({ sheets: { One: cell("ana"), Two: cell("leo") } });
  const read = (choices: Choices) =>
    readList({ source: { kind: "file", name: "a.xlsx", bytes }, choices }, "en");
  expect(read({})).toMatchObject({
    sheets: ["One", "Two"],
    sheet: "One",
    list: { learners: [{ username: "ana" }] },
  });
  expect(read({ sheet: "Two" })).toMatchObject({ sheet: "Two", list: { learners: [{ username: "leo" }] } });
});

describe("the remembered meaning of columns", () => {
  const stored = new Map<string, string>();
  beforeEach(() => {
    stored.clear();
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
    });
  });
  afterEach(() => void vi.unstubAllGlobals());

  test("is stored by the set of headings in any order, without the values", () => {
    storeMeanings(["Login", "Ana Kovač", "Final"], ["username", undefined, "attribute.final"]);
    expect(storedMeanings(["Final", "Login", "Ana Kovač"])).toEqual(["attribute.final", "username", null]);
    expect(storedMeanings(["Final", "Login"])).toBeUndefined();
    expect([...stored.values()].join()).not.toMatch(/Login|Kova/);
  });

  test("is deleted oldest first, and unreadable data does no harm", () => {
    for (let index = 0; index <= 50; index++) storeMeanings([`h${index}`], ["username"]);
    expect(storedMeanings(["h0"])).toBeUndefined();
    expect(storedMeanings(["h1"])).toEqual(["username"]);
    stored.set("console.columns", "null");
    expect(storedMeanings(["h1"])).toBeUndefined();
  });
});
