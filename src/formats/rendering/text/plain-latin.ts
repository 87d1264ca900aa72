/**
 * Matches Latin text in NFC, including the characters between letters. All its characters are left-to-right and have a
 * single code point.
 */
export const plainLatin = /^[\x20-\x7E\u00A1-\u00AC\u00AE-\u024F]*$/;
