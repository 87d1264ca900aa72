/** Matches Latin letters in NFC and the characters between them. All are left-to-right single code points. */
export const plainLatin = /^[\x20-\x7E\u00A1-\u00AC\u00AE-\u024F]*$/;
