import { MAX_ROWS_ABOVE } from "./table.js";

export type ColumnMeaning = (typeof meanings)[number];

export const meanings = [
  "username",
  "email",
  "fullName",
  "givenName",
  "familyName",
  /** In sorting order: `Kovač, Ana`. */
  "sortedName",
  "learnerId",
  "grade",
  /** As written: `B+`, `1,3`, `28/30`. */
  "letterGrade",
  "passed",
  "hours",
  "awardDate",
] as const;

/** Meanings of columns about a person, which are empty in rows of totals. */
export const personalMeanings: readonly ColumnMeaning[] = [
  "email",
  "fullName",
  "givenName",
  "familyName",
  "sortedName",
];

/**
 * Headings that exports and people use in the eight languages of the console, in the form of `headingKey`. If a heading
 * is listed for several meanings, the first meaning applies.
 */
const headings: Readonly<Record<ColumnMeaning, readonly string[]>> = {
  username: [
    ..."username user login loginname userid account accountname learner student sisloginid".split(" "),
    ..."usuario nombredeusuario nombreusuario cuenta".split(" "),
    ..."utilisateur nomdutilisateur nomutilisateur identifiant pseudo compte".split(" "),
    ..."benutzername benutzer nutzername nutzer anmeldename kennung benutzerkennung".split(" "),
    ..."اسمالمستخدم المستخدم معرفالمستخدم الحساب".split(" "),
    ..."імякористувача користувач логін обліковийзапис".split(" "),
    ..."nomeutente utente nomedeusuario nomeusuario usuario conta".split(" "),
  ],
  email: [
    ..."email emailaddress mail mailaddress eaddress primaryemail".split(" "),
    ..."correo correoelectronico direcciondecorreo direcciondecorreoelectronico".split(" "),
    ..."courriel adresseemail adressemail adresseelectronique mel adressedecourriel".split(" "),
    ..."emailadresse mailadresse epost".split(" "),
    ..."البريدالالكتروني البريد الايميل بريدالكتروني عنوانالبريدالالكتروني".split(" "),
    ..."posta postaelettronica indirizzoemail enderecodeemail enderecoemail".split(" "),
    ..."електроннапошта пошта електроннаадреса адресаелектронноїпошти імейл ел.пошта елпошта".split(" "),
  ],
  fullName: [
    ..."name fullname learnername studentname displayname certificatename namesurname".split(" "),
    ..."nombrecompleto nombreyapellidos nombreyapellido apellidosynombre apellidosnombre".split(" "),
    ..."nomcomplet nometprenom nomprenom prenometnom prenomnom".split(" "),
    ..."lastnamefirstname firstnamelastname surnamefirstname surnameforename familynamegivenname".split(" "),
    ..."vollstandigername vollername vorundnachname nameinhaber".split(" "),
    ..."nachnamevorname namevorname familiennamevorname vornamenachname".split(" "),
    ..."الاسم الاسمالكامل الاسمبالكامل اسمالطالب اسمالمتعلم".split(" "),
    ..."nomecompleto nomeecognome nomecognome cognomeenome cognomenome nomeesobrenome".split(" "),
    ..."повнеімя піб прізвищетаімя прізвищеімя імятапрізвище імяпрізвище прізвищеімяпобатькові".split(" "),
  ],
  givenName: [
    ..."firstname givenname forename nombre nombres prenom prenoms vorname vornamen".split(" "),
    ..."nome الاسمالاول الاسمالشخصي імя".split(" "),
  ],
  familyName: [
    ..."lastname surname familyname apellido apellidos nom nomdefamille nachname familienname zuname".split(
      " ",
    ),
    ..."cognome sobrenome apelido اسمالعائلة اللقب العائلة прізвище".split(" "),
  ],
  sortedName: ["sortablename", "sortname"],
  learnerId: [
    ..."learnerid studentid studentnumber matriculationnumber registrationnumber idnumber sisuserid".split(
      " ",
    ),
    ..."matrikelnummer matrikelnr matrnr immatrikulationsnummer".split(" "),
    ..."numerodematricula matricula numerodeestudiante numerodeexpediente numeroaluno numerodealuno".split(
      " ",
    ),
    ..."numeroetudiant numerodetudiant numerodematricule matricule matricola numeromatricola".split(" "),
    ..."الرقمالجامعي رقمالطالب номерстудента номерздобувача номерзаліковоїкнижки студентськийномер".split(
      " ",
    ),
  ],
  grade: [
    ..."grade total score finalscore finalgrade coursetotal coursetotalpercentage percentage percent".split(
      " ",
    ),
    ..."prozent prozentsatz porcentaje pourcentage percentuale percentagem porcentagem".split(" "),
    ..."відсоток відсотки النسبة النسبةالمئوية".split(" "),
  ],
  letterGrade: [
    ..."lettergrade letter gradeletter buchstabennote noteenlettres calificacionconletra".split(" "),
    ..."votoinlettere conceito notaporextenso літернаоцінка оцінкаects التقديربالحروف".split(" "),
  ],
  passed: [
    ..."passed passfail ispassed passedcourse bestanden reussi valide aprobado apto superato promosso".split(
      " ",
    ),
    ..."aprovado aprovacao зараховано складено اجتياز ناجح الاجتياز".split(" "),
  ],
  hours: [..."hours horas heures stunden ساعات الساعات години ore".split(" ")],
  awardDate: [
    ..."awarddate dateofaward awarded awardedon dateawarded issuedate dateofissue issuedon date".split(" "),
    ..."verleihungsdatum ausstellungsdatum datum fecha fechadeexpedicion fechadeemision".split(" "),
    ..."datededelivrance datedemission data datadirilascio datadeemissao дата التاريخ تاريخ".split(" "),
    ..."fechadeconcesion fechadeotorgamiento datedobtention datadeatribuicao datadeconcessao datadiconferimento".split(
      " ",
    ),
    ..."تاريخالمنح датаприсвоєння датаприсудження датавидачі".split(" "),
  ],
};

/**
 * Returns whether a row is the headings of a Canvas gradebook export. In such an export, `Student` is a name in sorting
 * order.
 */
export function isCanvasGradebook(row: readonly string[]): boolean {
  return row.some((heading) => headingKey(heading) === "sisloginid");
}

/** Headings of grades on any scale, or of remarks. Only the cells below show which of them a column contains. */
const gradesOrRemarks: ReadonlySet<string> = new Set(
  [
    ..."grade finalgrade mark finalmark gpa note endnote gesamtnote abschlussnote nota notafinal".split(" "),
    ..."notefinale moyenne moyennegenerale calificacion calificacionfinal voto votofinale punteggio".split(
      " ",
    ),
    ..."classificacao classificacaofinal الدرجة الدرجةالنهائية المعدل التقدير العلامة".split(" "),
    ..."оцінка підсумковаоцінка бал середнійбал".split(" "),
  ].map(headingKey),
);

const meaningOf = new Map<string, ColumnMeaning>();
for (const meaning of meanings) {
  for (const heading of headings[meaning]) {
    const key = headingKey(heading);
    if (!meaningOf.has(key)) meaningOf.set(key, meaning);
  }
}

export function meaningOfHeading(heading: string): ColumnMeaning | undefined {
  return meaningOf.get(headingKey(heading));
}

/** Returns whether a column with this heading may contain grades, as percentages or on another scale. */
export function mayHaveGrades(heading: string): boolean {
  return gradesOrRemarks.has(headingKey(heading));
}

/** Returns whether a heading states that the numbers are percentages. */
export function isPercentHeading(heading: string): boolean {
  return /%|٪|per ?cent|prozent|porcent|pourcent|відсот|النسبة/iu.test(heading);
}

/**
 * Returns the index of the row of headings: the first row with two known headings. It may be below titles.
 * @param meaningOf returns the meaning of a heading; undefined if it is unknown
 * @returns 0 if there is no such row
 */
export function rowOfHeadings(
  rows: readonly { readonly cells: readonly string[] }[],
  meaningOf: (heading: string) => unknown = meaningOfHeading,
): number {
  const found = rows
    .slice(0, MAX_ROWS_ABOVE)
    .findIndex(({ cells }) => new Set(cells.map(meaningOf).filter((each) => each !== undefined)).size > 1);
  return Math.max(0, found);
}

/** Returns the meaning of each column. If two columns have the same meaning, only the first gets it. */
export function meaningsOfHeadings(row: readonly string[]): (ColumnMeaning | undefined)[] {
  const keys = row.map(headingKey);
  const isCanvas = isCanvasGradebook(row);
  const taken = new Set<ColumnMeaning>();
  return keys.map((key) => {
    const meaning = isCanvas && key === "student" ? "sortedName" : meaningOf.get(key);
    if (meaning === undefined || taken.has(meaning)) return undefined;
    taken.add(meaning);
    return meaning;
  });
}

/** Returns the letters and digits of a heading, without case, accents, and the hamza that is often left out. */
export function headingKey(heading: string): string {
  return heading
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();
}
