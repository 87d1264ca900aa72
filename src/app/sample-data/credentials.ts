import { courses, paths } from "./academy.js";
import { type CastMember, cast } from "./cast.js";

/** A credential that is issued at the first start. All of these learners are eligible. */
interface SampleCredential {
  readonly username: string;
  readonly learningContextKey: string;
  readonly credentialTypeName: string;
  /** Set to invalidate the credential once it is available. Verifiers can read the reason. */
  readonly invalidationReason?: string;
  /** The reason why issuing is refused; only set for a credential that demonstrates a refusal. */
  readonly refusal?: string;
}

const { nightSky, statistics, weather, navigation, bookbinding } = courses;
const achievement = "Certificate of Achievement";
const completion = "Certificate of Completion";
const { graduate, misprinted, navigator, onTheMark, unprintable } = cast;

/** One credential for each script that must render well. `npm start` shows the first two. */
export const sampleCredentials: readonly SampleCredential[] = [
  of(graduate),
  {
    ...of(misprinted),
    invalidationReason: "Printed with a misspelt name; a corrected certificate follows.",
  },
  of(navigator), // Greek
  of(onTheMark), // Turkish
  credential("olga.vershinskaya", navigation.courseKey, achievement), // Cyrillic
  credential("yousef.alkhatib", nightSky.courseKey, achievement), // Arabic
  credential("itamar.chernin", weather.courseKey, completion), // Hebrew
  credential("dnyaneshwari.halbe", statistics.courseKey, achievement), // Devanagari
  credential("riddhi.bhattacharya", bookbinding.courseKey, completion), // Bengali
  credential("ilango", statistics.courseKey, achievement), // Tamil, one word
  credential("kamonchanok.s", bookbinding.courseKey, completion), // Thai
  credential("lasha.tsiklauri", bookbinding.courseKey, completion), // Georgian
  credential("anahit.terghazaryan", weather.courseKey, completion), // Armenian
  credential("selamawit.tesfaye", bookbinding.courseKey, completion), // Ethiopic
  credential("le.hoangngu", bookbinding.courseKey, completion), // Vietnamese
  credential("maria.francisca", bookbinding.courseKey, completion), // a name of 96 characters
  credential("jiri.dvoracek", paths.curiousHands.pathKey, completion),
  { ...of(unprintable), refusal: "No built-in font has the letters of Tifinagh." },
];

function of({ username, learningContextKey, credentialTypeName }: CastMember): SampleCredential {
  return { username, learningContextKey, credentialTypeName };
}

function credential(
  username: string,
  learningContextKey: string,
  credentialTypeName: string,
): SampleCredential {
  return { username, learningContextKey, credentialTypeName };
}
