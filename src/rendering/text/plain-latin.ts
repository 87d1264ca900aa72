/** Latin letters as NFC leaves them, and what stands between them: from left to right, one character each. */
export const plainLatin = /^[\x20-\x7E\u00A1-\u00AC\u00AE-\u024F]*$/;
