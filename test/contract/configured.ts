import { learner, reader, staff, writer } from "./callers.js";
import {
  ALGEBRA,
  EMPTY_PATH,
  GONE,
  GONE_PATH,
  MATHS,
  NAMES,
  OPEN_PATH,
  OPENED,
  STATUSES,
} from "./contract-data.js";
import {
  badKey,
  configured,
  type Exchange,
  get,
  NO_COURSE,
  NO_CREDENTIALS,
  NO_PATH,
  nobody,
} from "./exchange.js";

const ALL_THREE =
  '{"is_configured":true,"credential_types":["Certificate of Achievement","Certificate of Completion",' +
  '"Diploma \\"with honours\\" – 優等"],"has_credentials":true,"credential_count":3}';
const ONE =
  '{"is_configured":true,"credential_types":["Certificate of Completion"],' +
  '"has_credentials":true,"credential_count":1}';
const NONE = '{"is_configured":false,"credential_types":[],"has_credentials":false,"credential_count":0}';

const [ana, ben, dan, zoe] = ["ana", "ben", "dan", "zoe"].map(learner);

const access: [status: number, name: string, as: Exchange["as"], key: string, body: string][] = [
  [200, "the names of all credentials, by configuration id", ana, ALGEBRA, ALL_THREE],
  [
    200,
    "a course with nothing configured; letters of any script, percent-encoded",
    ana,
    `course-v1:Uni+${encodeURIComponent("Алгебра")}+2026`,
    NONE,
  ],
  [403, "nobody in particular", nobody, ALGEBRA, NO_CREDENTIALS],
  [400, "an invalid key", ana, "algebra", badKey("algebra")],
  [404, "a course in which the learner is not enrolled", zoe, ALGEBRA, NO_COURSE],
  [404, "a course that does not exist, with the same body", zoe, "course-v1:Uni+None+2026", NO_COURSE],
  [404, "an enrolment that is not active", ben, ALGEBRA, NO_COURSE],
  [404, "an enrolment that was withdrawn", learner("cyd"), ALGEBRA, NO_COURSE],
  [404, "an enrolment of the same name in other letters", learner("ANA"), ALGEBRA, NO_COURSE],
  [404, "the same key in other letters", ana, "course-v1:UNI+Algebra+2026", NO_COURSE],
  [
    200,
    "a path in which the learner is enrolled",
    dan,
    MATHS,
    configured("Certificate of Achievement", 'Diploma "with honours" – 優等'),
  ],
  [200, "a course that is a step of a path in which the learner is enrolled", dan, ALGEBRA, ALL_THREE],
  [404, "another course, which is no step of it", dan, NAMES, NO_COURSE],
  [404, "a path that is invite-only", zoe, MATHS, NO_PATH],
  [404, "a path whose enrolment is not active", ben, MATHS, NO_PATH],
  [404, "a path is invite-only unless the platform says otherwise", zoe, EMPTY_PATH, NO_PATH],
  [200, "a path that is open, without an enrolment", zoe, OPEN_PATH, ONE],
  [200, "a course that is a step of an open path", zoe, OPENED, ONE],
  [200, "an open path, for somebody without a learner record", learner("stranger"), OPEN_PATH, ONE],
  [404, "an open path that was withdrawn", zoe, GONE_PATH, NO_PATH],
  [404, "a step of an open path that was withdrawn", zoe, GONE, NO_COURSE],
  [
    200,
    "a path that was withdrawn, for whom it was not: withdrawn is never told, and an enrolment is enough",
    ana,
    GONE_PATH,
    ONE,
  ],
  [404, "a path that does not exist", zoe, "path-v1:Uni+None+2026+A", NO_PATH],
  [200, "staff, without an enrolment", staff, STATUSES, ONE],
  [200, "staff, about a context that does not exist", staff, "course-v1:No+Such+Course", NONE],
  [200, "staff, about a path that was withdrawn: its configurations are there still", staff, GONE_PATH, ONE],
  [400, "staff, too, about an invalid key", staff, "course-v1:Uni+Algebra", badKey("course-v1:Uni+Algebra")],
  [200, "a service that may read", reader, STATUSES, ONE],
  [200, "a service that may write", writer, STATUSES, ONE],
];

/** GET configured/{learning_context_key}/: the body, and which callers may see it. */
export const configuredRoute: Exchange[] = access.map(([status, name, as, key, body]) =>
  get(`${status}: ${name}`, as, `configured/${key}/`, status, body),
);

const LONGEST = `course-v1:A+B+${"x".repeat(241)}`;
const RARE = "𠮷".repeat(241);

/** GET configured/{learning_context_key}/ by staff: well-formed keys. */
export const wellFormedKeys: Exchange[] = [
  ["a plus sign stands for itself", "course-v1:A+B+C"],
  ["%2B and %3A, in either case", "course-v1%3aA%2BB%2bC"],
  ["every character in percent-encoding", "%63ourse-v1:A+B+%43"],
  ["the other characters that are allowed", "course-v1:A_b-1+.+~:"],
  ["a last part that looks like a verb", "course-v1:A+B+C:cancel"],
  ["a path", "path-v1:A+B+C+D"],
  ["a path with spaces", "path-v1:Open%20edX+101+2026+Group%20A"],
  ["a path with punctuation", "path-v1:O'Neil%20(1)+1%25+a%3Fb%23c;d,e+A%26B%22%3Cb%3E%5C"],
  ["a path with an emoji", "path-v1:A+B+C+%F0%9F%8E%93"],
  [
    "digits and letters of any script",
    `course-v1:${encodeURIComponent("Ünï+数学٣+२०२६ก")}`.replaceAll("%2B", "+"),
  ],
  ["255 characters", LONGEST],
  ["255 characters, most of them outside the basic plane", `course-v1:A+B+${encodeURIComponent(RARE)}`],
].map(([name, key]) => get(`200: ${name}`, staff, `configured/${key}/`, 200, NONE));

/** The key as written in the URL, and as shown in the response. */
const malformed: [name: string, written: string, shown?: string][] = [
  ["no prefix", "Uni+Algebra+2026"],
  ["another prefix", "course-v2:A+B+C"],
  ["a prefix in capitals", "Course-v1:A+B+C"],
  ["a block of a course", "block-v1:A+B+C+type@problem+block@1"],
  ["a course without its run", "course-v1:A+B"],
  ["a course with a fourth part", "course-v1:A+B+C+D"],
  ["a path without its group", "path-v1:A+B+C"],
  ["a path with a fifth part", "path-v1:A+B+C+D+E"],
  ["an empty first part", "course-v1:+B+C"],
  ["an empty part in the middle", "course-v1:A++C"],
  ["an empty last part", "course-v1:A+B+"],
  ["nothing but a prefix", "course-v1:"],
  ["a space", "course-v1:A+B+C%20D", "course-v1:A+B+C D"],
  ["a space at its end", "course-v1:A+B+C%20", "course-v1:A+B+C "],
  ["an encoded slash", "course-v1:A+B%2FC+D", "course-v1:A+B/C+D"],
  ["an encoded slash in a path", "path-v1:A+B%2FC+D+E", "path-v1:A+B/C+D+E"],
  ["a line break in a path", "path-v1:A+B%0AC+D+E", "path-v1:A+B\nC+D+E"],
  ["a NUL byte in a path", "path-v1:A+B+C+D%00", "path-v1:A+B+C+D\0"],
  ["a backslash", "course-v1:A+B+%5C", "course-v1:A+B+\\"],
  ["a quotation mark", "course-v1:A+B+%22", 'course-v1:A+B+"'],
  ["markup", "course-v1:A+B+%3Cb%3E", "course-v1:A+B+<b>"],
  ["a wildcard of SQL", "course-v1:A+B+%25", "course-v1:A+B+%"],
  ["a comma", "course-v1:A+B+C,D"],
  ["a semicolon", "course-v1:A+B+C;v=1"],
  ["a fragment", "course-v1:A+B+C#D"],
  ["a line break at its end", "course-v1:A+B+C%0A", "course-v1:A+B+C\n"],
  ["a NUL byte", "course-v1:A+B+%00", "course-v1:A+B+\0"],
  ["an escape character", "course-v1:A+B+%1B", "course-v1:A+B+\x1b"],
  ["an emoji", "course-v1:A+B+%F0%9F%8E%93", "course-v1:A+B+🎓"],
  ["one dot", "."],
  ["two dots, which are not resolved", ".."],
  ["256 characters", `${LONGEST}x`, `${LONGEST.slice(0, 100)}…`],
  [
    "256 characters, most of them outside the basic plane",
    `course-v1:A+B+${encodeURIComponent(`${RARE}𠮷`)}`,
    `course-v1:A+B+${"𠮷".repeat(43)}…`,
  ],
  ["percent-encoding that is not complete", "course-v1:A+B+%4"],
  ["percent-encoding that is not hexadecimal", "course-v1:A+B+%zz"],
  ["a percent sign that is not encoded, which leaves all else undecoded", "course-v1%3AA+B+%"],
  ["percent-encoding twice", "course-v1:A%252BB+C+D", "course-v1:A%2BB+C+D"],
  ["bytes that are not UTF-8", "course-v1:A+B+%FF"],
  ["an overlong encoding of a slash", "course-v1:A+B+%C0%AF"],
  ["an encoded surrogate", "course-v1:A+B+%ED%A0%80"],
];

/** GET configured/{learning_context_key}/ by staff: malformed keys. */
export const malformedKeys: Exchange[] = [
  ...malformed.map(([name, written, shown = written]) =>
    get(`400: ${name}`, staff, `configured/${written}/`, 400, badKey(shown)),
  ),
  get(
    "400: a character that is not seen, which the answer makes visible",
    staff,
    "configured/course-v1:A+B+%E2%80%8B/",
    400,
    '{"detail":"Invalid learning context key: \\"course-v1:A+B+\\\\u{200b}\\". A key looks like ' +
      'course-v1:{org}+{course}+{run} or path-v1:{org}+{number}+{run}+{group}, with at most 255 characters."}',
  ),
];
