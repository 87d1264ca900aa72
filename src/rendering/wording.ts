/** The words of the built-in design that are not facts. None agrees in gender with the credential type, which is free text. */
export interface Wording {
  /** BCP 47 tag of these words. */
  readonly language: string;
  readonly awardedTo: string;
  readonly for: string;
  readonly issuedBy: string;
  readonly dateOfIssue: string;
  readonly signature: string;
  readonly verifyAt: string;
  readonly identifier: string;
}

const english: Wording = {
  language: "en",
  awardedTo: "is awarded to",
  for: "for",
  dateOfIssue: "Date of issue",
  issuedBy: "Issued by",
  signature: "Signature",
  verifyAt: "Verify at",
  identifier: "Credential ID",
};

const wordings: readonly Wording[] = [
  english,
  {
    language: "de",
    awardedTo: "wird verliehen an",
    for: "für",
    dateOfIssue: "Ausstellungsdatum",
    issuedBy: "Ausgestellt von",
    signature: "Unterschrift",
    verifyAt: "Überprüfen unter",
    identifier: "Kennung",
  },
  {
    language: "es",
    awardedTo: "se otorga a",
    for: "por",
    dateOfIssue: "Fecha de emisión",
    issuedBy: "Emitido por",
    signature: "Firma",
    verifyAt: "Verificar en",
    identifier: "Identificador",
  },
  {
    language: "fr",
    awardedTo: "à",
    for: "pour",
    dateOfIssue: "Date de délivrance",
    issuedBy: "Délivré par",
    signature: "Signature",
    verifyAt: "Vérifier sur",
    identifier: "Identifiant",
  },
  {
    language: "it",
    awardedTo: "si conferisce a",
    for: "per",
    dateOfIssue: "Data di rilascio",
    issuedBy: "Rilasciato da",
    signature: "Firma",
    verifyAt: "Verifica su",
    identifier: "Identificativo",
  },
  {
    language: "pt",
    awardedTo: "confere-se a",
    for: "por",
    dateOfIssue: "Data de emissão",
    issuedBy: "Emitido por",
    signature: "Assinatura",
    verifyAt: "Verificar em",
    identifier: "Identificador",
  },
];

/** The words for a BCP 47 tag, by its primary language; English where there are none. */
export function wordingFor(language: string): Wording {
  const primary = language.toLowerCase().split("-")[0];
  return wordings.find((wording) => wording.language === primary) ?? english;
}
