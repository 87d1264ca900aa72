import fc from "fast-check";

/** Names and titles that try to inject headers, markup or control characters. */
export const hostileTexts = [
  "Ada\r\nBcc: evil@x.y",
  "Ada\nSubject: You won\n\n<h1>body</h1>",
  "Ada\u2028Bcc: evil@x.y",
  "Ada\0\x1b[2J\x7f",
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  "</title></body></html>",
  "<!-- ]]> &lt; &amp; &#60;",
  "Ada\u202eadA\u2066\u2067\u200f",
  "evil@x.y, <evil@x.y>",
  '"quoted" \\ (comment); group: a@b.c;',
  "=?utf-8?q?=0d=0aBcc:_evil@x.y?=",
  "{link} {platformName} $& $1",
  "ﷺ Ω 👩‍🎓 🏴󠁧󠁢󠁥󠁮󠁧󠁿 e\u0301\u0323",
  "half \ud83d of a pair",
  "not a character \uffff\ufdd0",
  `${"long".repeat(60)}`,
  `${"довге слово ".repeat(20)}`,
] as const;

/** The same texts, mixed with any Unicode text. */
export const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: "binary" })), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) => parts.join(""));
