/** What a column of a list says about a learner. */
export type ColumnMeaning = (typeof meanings)[number];

export const meanings = ["username", "email", "fullName", "givenName", "familyName"] as const;

/**
 * Headings that exports and people write in the eight languages of the console, in the form of `headingKey`. An
 * earlier meaning wins where two have one.
 */
const headings: Readonly<Record<ColumnMeaning, readonly string[]>> = {
  username: [
    ..."username user login loginname userid account accountname learner student".split(" "),
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
    ..."vollstandigername vollername vorundnachname nameinhaber".split(" "),
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
};

const meaningOf = new Map<string, ColumnMeaning>();
for (const meaning of meanings) {
  for (const heading of headings[meaning]) {
    const key = headingKey(heading);
    if (!meaningOf.has(key)) meaningOf.set(key, meaning);
  }
}

/** Returns what a column with this heading says, if the heading is known. */
export function meaningOfHeading(heading: string): ColumnMeaning | undefined {
  return meaningOf.get(headingKey(heading));
}

/** Letters and digits alone, without case, accents, and the hamza that is often left out. */
function headingKey(heading: string): string {
  return heading
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();
}
