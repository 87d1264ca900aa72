/** Latin letters in NFC, and the characters between them. They run from left to right, and each is a single code point. */
export const plainLatin = /^[\x20-\x7E\u00A1-\u00AC\u00AE-\u024F]*$/;
