import type { Wording } from "./en.js";

export const words: Wording = {
  document: {
    // Agrees with every title: "certificat" and "attestation" differ in gender.
    awardedTo: "que nous décernons à",
    for: "pour",
    forCompleting: "pour avoir suivi avec succès",
    forAttending: "pour la participation à",
    dateOfIssue: "Date de délivrance",
    dateOfAward: "Date d’obtention",
    validUntil: "Valable jusqu’au",
    completion: "Achèvement",
    signature: "Signature",
    grade: "Note",
    hours: "Heures",
    credits: "Crédits",
    learnerId: "Matricule",
    steps: "Cours",
    verifyAt: "Vérifier sur",
    identifier: "Identifiant",
    contact: "Contact",
    imprint: "Mentions légales",
  },

  design: {
    classic: "Classique",
    classicMeans:
      "Caractères romains centrés dans un double cadre aux angles échancrés, avec un sceau discret. Pour la plupart des certificats.",
    modern: "Moderne",
    modernMeans:
      "Linéale alignée à gauche, avec un bord coloré et des anneaux. Pour les écoles de technologie, de commerce et de design.",
    minimal: "Minimal",
    minimalMeans:
      "Le nom sur beaucoup de blanc, avec des traits fins. Pour ceux dont le nom se passe d’ornement.",
    diploma: "Diplôme",
    diplomaMeans: "Un cadre gravé et un sceau entre deux signatures. Pour les grades et les diplômes.",
    portrait: "Portrait",
    portraitMeans:
      "En hauteur, avec la place d’un blason, une rosace et un sceau gravé. Pour les chemises et les murs.",
    bilingual: "Bilingue",
    bilingualMeans:
      "Titre, formules et date en deux langues. Pour les programmes conjoints et l’usage international.",
    "micro-credential": "Microcertification",
    "micro-credentialMeans":
      "Un panneau coloré avec un insigne, et les résultats en tableau. Pour les cours brefs avec crédits.",
    attendance: "Participation",
    attendanceMeans:
      "En hauteur et sobre : qui a participé à quoi, et combien de temps. Pour les ateliers et les formations.",
    engraved: "Gravé",
    engravedMeans:
      "Le modèle intégré : cadre de guillochis, rosaces et sceau. La couleur, le logo et une signature se choisissent.",
  },

  mail: {
    greeting: "Bonjour {name},",
    subject: "{platformName}\u00a0: votre attestation pour {learningContextName} est disponible",
    heading: "Votre attestation est disponible",
    introduction: "Félicitations\u00a0! {platformName} vous a délivré une attestation.",
    credentialType: "Attestation\u00a0: {credentialType}",
    learningContext: "Cours ou parcours d’apprentissage\u00a0: {learningContextName}",
    download: "Télécharger l’attestation",
    privacy:
      "Le lien de téléchargement est personnel\u00a0: toute personne qui le possède peut télécharger votre attestation.",
    expirySubject: "{platformName} : votre attestation pour {learningContextName} expire bientôt",
    expiryHeading: "Votre attestation expire bientôt",
    expiryIntroduction: "Votre attestation de {platformName} est valable jusqu’au {lastDay}.",
    expiryLink: "Voir l’attestation",
    verificationPage: "La voir et la partager",
    walletPage: "La conserver dans une application de portefeuille",
    replacementSubject: "{platformName}\u00a0: votre attestation pour {learningContextName} a été remplacée",
    replacementHeading: "Votre attestation a été remplacée",
    replacementIntroduction:
      "{platformName} vous a délivré une nouvelle attestation. Elle remplace la précédente, qui n’est plus valide\u00a0: n’utilisez plus que la nouvelle.",
    withdrawalSubject: "{platformName}\u00a0: votre attestation pour {learningContextName} a été retirée",
    withdrawalHeading: "Votre attestation a été retirée",
    withdrawalIntroduction:
      "{platformName} a retiré une attestation qui vous avait été délivrée. Elle n’est plus valide.",
    withdrawalReason: "Motif\u00a0: {reason}",
    withdrawalContact: "Si vous pensez qu’il s’agit d’une erreur, adressez-vous à {platformName}.",
    contact: "Contact",
    imprint: "Mentions légales",
  },

  page: {
    contact: "Contact",
    imprint: "Mentions légales",
    languages: "Langue",

    verification: "Vérification d’attestation",
    genuine: "Cette attestation est authentique",
    genuineMeans: "{platformName} l’a délivrée, et elle est valide.",
    nameUnconfirmed: "Le nom ne peut plus être confirmé",
    nameUnconfirmedMeans:
      "{platformName} a délivré cette attestation, et elle est valide. Le nom a été supprimé à la demande de la personne concernée : une copie qui mène ici peut donc porter n’importe quel nom. Ne vous fiez pas au seul nom inscrit sur un document.",
    invalidated: "Cette attestation a été invalidée",
    invalidatedMeans: "{platformName} l’a délivrée, puis retirée. Elle n’est plus valide.",
    wasReplaced: "Cette attestation a été remplacée",
    wasReplacedMeans:
      "{platformName} en a délivré une nouvelle à sa place, le plus souvent pour corriger une donnée. Fiez-vous à la nouvelle\u00a0: celle-ci n’est plus valide.",
    elsewhere: "Cette attestation a été délivrée ailleurs",
    elsewhereMeans: "{platformName} l’a reprise le {date}, et elle est valide.",
    elsewhereUnconfirmedMeans:
      "Cette attestation a été délivrée ailleurs. {platformName} l’a reprise le {date}, et elle est valide. Le nom a été supprimé à la demande de la personne concernée\u00a0: une copie qui mène ici peut donc porter n’importe quel nom. Ne vous fiez pas au seul nom inscrit sur un document.",
    elsewhereInvalidatedMeans:
      "Elle a été délivrée ailleurs, et {platformName} l’a reprise le {date}. Elle n’est plus valide.",
    expired: "Cette attestation a expiré",
    expiredMeans: "{platformName} l’a délivrée, et elle était valable jusqu’au {lastDay}.",
    elsewhereExpiredMeans:
      "Elle a été délivrée ailleurs, et {platformName} l’a reprise le {date}. Elle était valable jusqu’au {lastDay}.",
    notFound: "Attestation introuvable",
    notFoundMeans:
      "{platformName} ne connaît aucune attestation portant cet identifiant. Comparez-le au document, caractère par caractère. S’il est le même, ne faites pas confiance au document.",

    holder: "Titulaire",
    nameRemoved: "Nom supprimé à la demande de la personne concernée",
    course: "Cours",
    learningPath: "Parcours d’apprentissage",
    credentialType: "Attestation",
    issuer: "Délivrée par",
    issuerNotNamed: "Un autre établissement, qui n’est pas nommé",
    sealedBy: "PDF scellé par",
    logProof: "Preuve pour plus tard",
    logProofMeans:
      "Le journal public de l’émetteur contient exactement ce fichier depuis le {date} au plus tard. Conservez la preuve avec le fichier\u00a0: chacun peut vérifier les deux sans cette page, même si elle n’existe plus.",
    downloadLogProof: "Télécharger la preuve",
    noLogProof:
      "Il n’y a pas de preuve de cette attestation\u00a0: elle est trop récente, n’est plus en vigueur ou n’est pas dans le journal.",
    anyProofAlone: "Choisissez maintenant aussi le PDF",
    anyProofAloneMeans: "Ceci est une preuve. Il lui faut le PDF auquel elle appartient.",
    anyLogged: "La preuve est exacte",
    anyLoggedMeans:
      "Exactement ce PDF est dans le journal public {origin}. La preuve ne dit pas si l’attestation est toujours en vigueur.",
    anyNotLogged: "La preuve n’est pas exacte",
    anyNotLoggedMeans:
      "Elle appartient à un autre fichier, a été modifiée ou vient du journal d’un autre émetteur.",
    takenOver: "Reprise par",
    issued: "Date de délivrance",
    status: "Statut",
    statusAvailable: "Valide",
    statusInvalidated: "Invalidée",
    statusExpired: "Expirée",
    statusReplaced: "Remplacée",
    validUntil: "Valable jusqu’au",
    renewed: "Renouvelée",
    seeRenewal: "Voir l’attestation qui la renouvelle",
    withdrawn: "Retirée le",
    replaced: "Remplacée par",
    seeReplacement: "Voir l’attestation qui la remplace",
    reason: "Motif",
    identifier: "Identifiant",
    checked: "Vérifié",
    skills: "Compétences",
    credits: "Crédits",
    notConfirmedHere: "Non confirmé par cette page",
    otherDetails: "Autres mentions du document",
    fieldOfStudy: "Domaine d’études",
    definedBy: "Défini par",

    fileCheck: "Ce fichier est-il l’original\u00a0?",
    fileCheckMeans:
      "Vous avez reçu un PDF\u00a0? Comparez-le à celui qui a été délivré. Votre navigateur s’en charge\u00a0: le fichier reste sur votre appareil.",
    chooseFile: "Choisir le PDF",
    dropFile: "ou le déposer ici",
    fileChecking: "Comparaison en cours…",
    fileIdentical: "C’est l’original",
    fileIdenticalMeans: "Le fichier est identique à celui qui a été délivré.",
    fileIdenticalInvalidated:
      "Le fichier est identique à celui qui a été délivré, mais l’attestation a été invalidée.",
    fileIdenticalExpired: "Le fichier est identique à celui qui a été délivré, mais l’attestation a expiré.",
    fileTakenOver: "C’est le fichier qui a été repris",
    fileTakenOverMeans:
      "Le fichier est identique à celui que {platformName} a repris le {date}. Il a été délivré ailleurs.",
    fileTakenOverInvalidated:
      "Le fichier est identique à celui que {platformName} a repris le {date}, mais l’attestation a été invalidée.",
    fileTakenOverExpired:
      "Le fichier est identique à celui que {platformName} a repris le {date}, mais l’attestation a expiré.",
    fileDifferent: "Ce n’est pas le fichier délivré",
    fileDifferentMeans:
      "Il a été modifié, enregistré de nouveau, ou appartient à une autre attestation. Fiez-vous à cette page, pas au fichier.",
    fileUnreadable: "Le fichier ne peut pas être lu. Choisissez-le à nouveau.",
    byHand: "Comparer soi-même",
    byHandChecksum: "L’empreinte SHA-256 du fichier délivré est\u00a0:",
    byHandCommands: "Ces commandes affichent l’empreinte de votre fichier\u00a0:",

    anyFile: "Vérifier un fichier",
    anyFileMeans:
      "Choisissez un PDF, un badge en PNG, SVG, JSON ou JWT, ou un relevé d’attestations. Votre navigateur le vérifie : le fichier reste sur votre appareil, seule la somme de contrôle d’un PDF est envoyée.",
    anyFileUnscripted:
      "Ce navigateur ne peut pas vérifier de fichiers ici : il lui faut JavaScript et une page reçue par HTTPS. Saisissez plutôt l’identifiant.",
    chooseAnyFile: "Choisir un fichier",
    anyFileChecking: "Vérification…",
    anyGenuine: "Ce fichier est authentique",
    anyGenuineMeans: "Il a été délivré ici, n’a pas été modifié et il est valable.",
    anyWithdrawn: "Ce certificat n’est plus valable",
    anyWithdrawnMeans:
      "Le fichier a été délivré ici et n’a pas été modifié, mais le certificat a été retiré ou a expiré.",
    anyEarly: "Ce certificat n’est pas encore valide",
    anyEarlyMeans:
      "Le certificat a été délivré ici et n’a pas été modifié, mais il n’est pas encore valide ou n’indique pas de date de début.",
    anyBadgeGenuine: "Le badge contenu dans ce fichier est authentique",
    anyBadgeGenuineMeans: "Le badge a été délivré ici, n’a pas été modifié et il est valable.",
    anyBadgeWithdrawnMeans:
      "Le badge a été délivré ici et n’a pas été modifié, mais le certificat a été retiré ou a expiré.",
    anyBadgeOnly:
      "Rien de ce qui entoure le badge n’est garanti\u00a0: n’importe qui peut mettre un badge authentique dans une image, une page ou un fichier de sa composition. Comparez le nom qui y figure avec celui d’ici.",
    anyRecordGenuine: "Ce relevé est authentique",
    anyRecordGenuineMeans:
      "Il a été établi ici, n’a pas été modifié, et chaque attestation qu’il contient est valable.",
    anyRecordPartly: "Tout n’est pas valable dans ce relevé",
    anyRecordPartlyMeans:
      "Il a été établi ici et n’a pas été modifié. Ce qui a été retiré depuis, a expiré ou ne peut pas être confirmé est indiqué ci-dessous.",
    anyRecordExpired: "Ce relevé n’est plus à jour",
    anyRecordExpiredMeans:
      "Il a été établi ici et n’a pas été modifié, mais son délai est écoulé. Demandez-en un nouveau à son titulaire.",
    anyRecordPage:
      "La page elle-même n’est pas garantie\u00a0: n’importe qui peut mettre un relevé authentique dans la sienne. Comparez-la avec la liste ci-dessous.",
    notConfirmed: "Non confirmée",
    anyAltered: "Ce fichier a été modifié",
    anyAlteredMeans:
      "Il prétend venir d’ici, mais ce n’est pas ce qui a été délivré. Ne vous fiez pas à ce qu’il montre.",
    anyForeign: "Ce fichier indique un autre émetteur",
    anyForeignMeans:
      "Cette page ne connaît que les signatures de ce service et ne peut donc pas dire si le fichier est authentique. Adressez-vous à l’émetteur indiqué.",
    anyUnknown: "Ce fichier n’est pas connu ici",
    anyUnknownMeans:
      "Ce n’est pas un certificat d’ici, ou il a été imprimé ou enregistré de nouveau. Saisissez l’identifiant imprimé dessus.",
    anyUnchecked: "Ce fichier ne peut pas être vérifié maintenant",
    anyUncheckedMeans:
      "Le service est injoignable, ou ce navigateur est trop ancien. Réessayez, ou saisissez l’identifiant.",

    forHolder: "Est-ce votre attestation\u00a0?",
    addToLinkedIn: "Ajouter au profil LinkedIn",
    wallet: "Portefeuille",
    walletMeans:
      "Scannez le code avec une application de portefeuille, comme Learner Credential Wallet, ou ouvrez cette page sur le téléphone où elle se trouve.",
    openLearnerWallet: "Ouvrir dans Learner Credential Wallet",
    openOtherWallet: "Ouvrir dans un autre portefeuille",
    walletInvalidated:
      "Cette attestation a été invalidée\u00a0: les applications de portefeuille ne peuvent plus la prendre.",
    walletErased:
      "Les données de cette personne ont été effacées ici\u00a0: il n’y a plus de nom qu’une application de portefeuille puisse prendre.",
    walletElsewhere:
      "Un autre système a délivré cette attestation\u00a0: les applications de portefeuille ne peuvent pas la prendre ici. Son document et sa page restent.",
    walletNone:
      "Les attestations de ce genre ne sont pas faites pour les applications de portefeuille. Leur document et leur page restent.",
    walletNoHttps:
      "Ce service n’a pas d’adresse HTTPS, dont les applications de portefeuille et les JWT ont besoin. Le PDF et le badge en JSON, PNG ou SVG peuvent être téléchargés.",
    walletPrivacy:
      "Quiconque a l’adresse de cette page peut prendre l’attestation. Ne la transmettez qu’à vos propres appareils.",
    link: "Lien vers cette page",
    copyLink: "Copier",
    linkCopied: "Copié",

    verifyAnother: "Vérifier une autre attestation",
    trustAddress: "Ne faites confiance à cette page qu’à l’adresse {address}",
    form: "Vérifier une attestation",
    formMeans: "Saisissez l’identifiant ou l’adresse qui figure sur le document.",
    formExample: "Par exemple {address}",
    verify: "Vérifier",
    unreadableIdentifier:
      "Ceci n’est pas un identifiant. Il a 32 caractères, de 0 à 9 et de a à f, ou c’est une adresse qui commence par {address}",

    download: "Téléchargement",
    linkLeadsNowhere: "Ce lien ne mène nulle part. Vérifiez que c’est le lien entier de votre e-mail.",
    downloadInvalidated: "Cette attestation a été invalidée\u00a0: elle ne peut plus être téléchargée.",
    downloadUnavailable:
      "Cette attestation n’est pas disponible\u00a0: elle ne peut pas être téléchargée maintenant.",
    downloadNotFound: "Cette attestation n’existe pas, ou n’est pas la vôtre.",
    downloadRefused:
      "Connectez-vous d’abord à votre plateforme d’apprentissage, puis suivez le lien à nouveau.",

    myCredentials: "Vos attestations",
    myCredentialsMean:
      "Les attestations qui vous ont été délivrées, les plus récentes d’abord. Les documents sont à vous. Partagez la page d’une attestation avec toute personne qui souhaite la vérifier.",
    noCredentials: "Aucune attestation ne vous a encore été délivrée.",
    moreCredentials: "Autres attestations",
    downloadFile: "Télécharger le PDF",
    seeForOthers: "Voir et partager sa page",
    toWallet: "La conserver dans une application de portefeuille",
    wholeRecord: "Tout télécharger en un seul fichier",
    wholeRecordMeans:
      "Un fichier signé avec les badges de toutes les attestations valides ici, pour les programmes des employeurs et des universités. Il est valable 90 jours.",
    noRecord:
      "Aucune de vos attestations n’a de badge valide actuellement\u00a0: il n’y a rien à mettre dans un fichier.",
    recordAsPdf: "Télécharger en PDF",
    recordAsPdfMeans: "Le PDF les énumère pour des lecteurs et contient le même fichier.",
    learnerRecord: "Relevé d’attestations",
    learnerRecordMeans:
      "Chacune de ces attestations était valable le {date}. Sa page dit si elle l’est encore. Le fichier joint record.json dit la même chose aux programmes\u00a0: il est signé par {platformName} et valable jusqu’au {lastDay}.",
    learnerRecordPartial: "Le titulaire a d’autres attestations, qui ne figurent pas ici.",
    pageOf: "Page {page} sur {pages}",
    statusGenerating: "En préparation",

    signIn: "Connexion à la console",
    notSignedIn: "Vous n’êtes pas connecté(e)",
    signInNotBegun:
      "Ce navigateur n’a pas commencé de connexion, ou il y a trop longtemps. Ouvrez la console et connectez-vous de nouveau.",
    signInCancelled: "La connexion a été annulée, ou refusée par le fournisseur d’identité.",
    signInNotProven:
      "La réponse du fournisseur d’identité ne correspond pas à cette connexion, ou a expiré. Recommencez.",
    providerOutOfReach: "Le fournisseur d’identité est injoignable. Réessayez plus tard.",
    notStaff:
      "Vous êtes connu(e) sous le nom de {username}, qui ne fait pas partie du personnel. Le fournisseur d’identité doit l’indiquer dans l’un de ces attributs (claims)\u00a0: {claims}",
    notAPerson:
      "Vous êtes connu(e) sous le nom de {username}, qui est un service. La console est réservée aux personnes.",
    signInRefused:
      "La réponse du fournisseur d’identité n’est pas acceptée ici. Adressez-vous à l’équipe qui gère ce service.",
    backToConsole: "Retour à la console",

    ltiCourse: "Vos attestations dans ce cours",
    ltiNothing: "Aucune attestation ne peut encore être obtenue dans ce cours.",
    ltiEarned: "Vous remplissez toutes les conditions.",
    ltiNotEarned: "Pas encore obtenue",
    ltiPart: "Partie",
    ltiYours: "Obtenu",
    ltiNeeded: "Requis",
    ltiTotal: "Total",
    ltiCompleted: "Achevé",
    ltiPassed: "Réussi sur la plateforme",
    ltiYes: "Oui",
    ltiNotYet: "Pas encore",
    ltiLetter: "Note en lettres",
    ltiOrBetter: "{letter} ou mieux",
    ltiRefresh: "Actualiser",
    ltiNotOpened: "Cette page ne peut pas être ouverte",
    ltiForAdministrators: "Communiquez ceci aux responsables de votre plateforme de formation :",
    ltiSignIn: "Connectez-vous à votre plateforme de formation, puis rouvrez cette page.",
    ltiPending:
      "Votre plateforme de formation a demandé à afficher {platformName} ici. Les responsables de {platformName} doivent d’abord l’accepter.",
    ltiNoCourse: "{platformName} ne connaît pas encore ce cours. Adressez-vous à ses responsables.",
    ltiUnknownPerson:
      "{platformName} ne vous connaît pas encore dans ce cours. Revenez demain, ou adressez-vous à ses responsables.",
    ltiErased: "Vos données ont été effacées ici à votre demande : rien ne peut être affiché.",
    ltiNoRole:
      "Cette page montre leurs attestations aux apprenants. Il n’y a rien ici pour votre rôle dans ce cours.",
    ltiTeacher: "Attestations de ce cours",
    ltiTeacherMeans:
      "Voyez qui a obtenu quelle attestation. La console s’ouvre dans son propre onglet ; le lien sert une seule fois, pendant dix minutes.",
    ltiOpenConsole: "Ouvrir la console",
    ltiPlace: "Ajouter au cours",
    ltiExpired: "Cette page a été ouverte il y a trop longtemps. Rouvrez-la dans votre cours.",
    ltiNewTab: "Ouvrir cette page dans un nouvel onglet",
    ltiNewTabMeans:
      "Votre navigateur ne conserve rien pour les pages contenues dans d’autres pages : rien ne prouve ici que c’est vous.",
    ltiNewTabByHand:
      "Votre navigateur ne conserve rien pour les pages contenues dans d’autres pages. Autorisez les cookies de {address}, ou utilisez un autre navigateur.",
    ltiMoment: "Un instant…",
    ltiContinue: "Continuer",
    ltiRegister: "Enregistrer {platformName} auprès de votre plateforme de formation",
    ltiRegisterMeans:
      "Votre plateforme, à l’adresse {address}, pourra alors afficher {platformName} dans les cours. Elle communiquera le nom, l’adresse et le rôle des personnes qui l’ouvrent, et les membres de ces cours si vous l’autorisez.",
    ltiRegisterNow: "Enregistrer",
    ltiRegistered: "Enregistré",
    ltiRegisteredMeans:
      "Les responsables de {platformName} doivent maintenant accepter votre plateforme. Vous pouvez fermer cette fenêtre.",
    ltiInvitation: "Ce lien a déjà servi, a expiré ou n’a jamais existé. Demandez-en un nouveau.",

    onlyGet: "Seuls GET et HEAD sont autorisés ici.",
    outOfReach: "Impossible de répondre pour le moment. Réessayez plus tard.",
    fault: "Une erreur s’est produite ici. Réessayez plus tard.",
  },
};
