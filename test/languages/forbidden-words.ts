/** Words that have a better equivalent in the glossary or in everyday English. The comments contain the equivalents. */
export const FORBIDDEN: readonly RegExp[] = [
  /(?<![-\w])(?<!outgoing )mails?\b(?![\w-])/gi, // email, except in the providers' term outgoing mail server
  /\bpass(?:ed|es) over\b/gi, // skipped
  /\b(?:some|any)body\b/gi, // someone, anyone
  /\bfor ?ever\b/gi, // permanently
  /\banew\b/gi, // again
  /\bbounded to\b/gi, // restricted to
  /\btold\b/gi, // reported, sent
  /\bwhoever runs the service\b/gi, // your administrator
  /\bthose who run\b/gi, // the administrator of
  /\btak(?:e|en|es) (?:it |them )?over\b|\btook (?:it |them )?over\b/gi, // imported, copied
  /\bstands in\b/gi, // is in
  /\bby (?:itself|themselves)\b/gi, // automatically
];

/** Further words that are not allowed in texts of whole sentences. */
export const IN_SENTENCES: readonly RegExp[] = [
  ...FORBIDDEN,
  /\bfor those who\b/gi, // you
  /\bwho(?:m)?ever\b/gi, // anyone who
  /\bin place of\b/gi, // instead of
  /\bgo(?:es)? on to\b/gi, // still
  /\bout of reach\b|\b(?:is|are) away\b/gi, // unavailable
  /\bleft alone\b/gi, // paused
];

export function hitsOf(text: string, words: readonly RegExp[]): string[] {
  return words.flatMap((word) => text.match(word) ?? []);
}
