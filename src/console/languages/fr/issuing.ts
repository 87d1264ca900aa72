import type { IssuingWording } from "../en/issuing.js";
import { counter } from "../plural.js";

const count = counter("fr");

export const words: IssuingWording = {
  reasons: {
    HAS_CREDENTIAL: "A déjà cette attestation",
    NOT_EARNED_ANEW: "Pourrait être renouvelée, mais sans nouveaux résultats depuis sa délivrance",
    NO_FULL_NAME: "La fiche n’a pas de nom complet",
    UNPRINTABLE_NAME: "Le nom a un caractère qu’aucune police n’imprime",
    WITHDRAWN: "La sienne a été retirée\u00a0: délivrez-la individuellement",
    UNKNOWN_LEARNER: "Inconnu du service",
    NOT_ELIGIBLE: "Ne remplit pas les conditions, ou n’est pas inscrit",
    INVALID: "Illisible",
    REPEATED: "Figure aussi dans une ligne précédente",
    UNKNOWN: "Pour une autre raison",
  },
  chooseConfiguration: "Choisissez ce qui est délivré…",
  noConfigurations: "Aucune attestation n’est encore configurée",
  noConfigurationsMeans:
    "Une attestation peut être délivrée dès que son type est configuré pour un cours ou un parcours.",
  firstOnly: count({ one: "Seul le premier est affiché.", other: "Seuls les {n} premiers sont affichés." }),
  runs: {
    empty: "Il n’y a encore eu aucune émission",
    emptyMeans:
      "Une émission donne l’attestation à tous ceux qui l’ont obtenue et ne l’ont pas. Avant de la lancer, vous voyez qui la reçoit, qui est laissé de côté, et pourquoi.",
    started: "Début",
    state: "État",
    issued: "Délivrées",
    available: "disponibles",
    generating: "en préparation",
    failed: "en échec",
    states: { RUNNING: "En cours", COMPLETE: "Terminée", CANCELLED: "Annulée" },
    listed: count({ one: "D’une liste de {n} apprenant", other: "D’une liste de {n} apprenants" }),
    withoutCheck: "les conditions n’ont pas été vérifiées",
  },
  plan: {
    working: "Recherche de ceux qui l’ont obtenue…",
    willIssue: count({ one: "{n} attestation sera délivrée", other: "{n} attestations seront délivrées" }),
    nothing: "Personne ne reçoit d’attestation maintenant",
    nothingMeans:
      "Tous ceux qui l’ont obtenue l’ont déjà, ou sont laissés de côté pour une des raisons ci-dessous.",
    retries: count({
      one: "{n} d’entre elles avait échoué, et est tentée de nouveau.",
      other: "{n} d’entre elles avaient échoué, et sont tentées de nouveau.",
    }),
    who: "Qui la reçoit",
    passedOver: "Laissés de côté",
    nobodyPassedOver: "Personne n’est laissé de côté.",
    notEarned: "{n} inscrits sur {enrolled} ne remplissent pas les conditions.",
    warnings: "À regarder d’abord",
    samples: "Ce qu’ils recevront",
    sampleFor: "Exemple pour {name}",
    issue: count({ one: "Délivrer {n} attestation", other: "Délivrer {n} attestations" }),
    told: "Ceux qui ont une adresse sont prévenus par courriel dès que leur attestation est prête.",
    changed: "Le plan a changé depuis que vous l’avez lu. Rien n’a été délivré.",
    changedMeans: "Regardez ce qui est différent et, si c’est juste, lancez de nouveau l’émission.",
    changedCount: "Attestations avant\u00a0: {before}. Maintenant\u00a0: {now}.",
    joined: "La reçoivent maintenant",
    left: "Ne la reçoivent plus",
  },
  run: {
    title: "Émission\u00a0: {type}",
    progress: "Progression",
    done: "{done} sur {all} faites",
    ended: "Fin",
    live: "Cette page suit l’émission. Vous pouvez la fermer\u00a0: l’émission continue, et cette adresse la montre de nouveau.",
    interrupted: "Le service est injoignable. La page continue dès qu’il revient.",
    failures: "Ce qui a échoué",
    failuresWith: count({ other: "{n} ×" }),
    retry: count({ one: "Réessayer l’attestation en échec", other: "Réessayer les {n} en échec" }),
    cancel: "Annuler l’émission",
    cancelHeading: "Annuler cette émission\u00a0?",
    cancelMeans: count({
      one: "{n} attestation encore en préparation échouera. Celles qui sont disponibles restent. Vous pourrez réessayer celles en échec.",
      other:
        "{n} attestations encore en préparation échoueront. Celles qui sont disponibles restent. Vous pourrez réessayer celles en échec.",
    }),
    keepRunning: "La laisser continuer",
    credentials: "Attestations de cette émission",
  },
  zip: {
    download: count({ other: "Enregistrer {n} PDF en ZIP" }),
    working: "{done} PDF sur {all}…",
    stop: "Arrêter",
    tooMany: count({ other: "Ici, un ZIP contient au plus {n} PDF." }),
    tooLarge: "Ensemble, les PDF sont trop grands pour un ZIP dans le navigateur. Choisissez-en moins.",
    missing: count({ one: "{n} n’existait plus.", other: "{n} n’existaient plus." }),
    saved: count({ one: "{n} PDF a été enregistré.", other: "{n} PDF ont été enregistrés." }),
  },
  list: {
    means:
      "Collez des lignes d’un tableur, ou choisissez un classeur Excel ou un fichier CSV. Chaque ligne est jugée avant que quoi que ce soit n’arrive, et vous pouvez emporter celles qui sont rejetées.",
    paste: "Collez les lignes ici",
    pasteHint: "utilisateur\tnom\nana.kovac\tAna Kovač",
    file: "Ou choisissez un classeur ou un fichier CSV",
    drop: "Vous pouvez aussi le déposer ici. Au plus 5\u202f000 lignes.",
    clear: "Prendre une autre liste",
    faults: {
      workbook:
        "Ce classeur ne peut pas être lu\u00a0: ce n’est pas un fichier .xlsx, ou il est protégé par un mot de passe. Dans Excel ou LibreOffice, enregistrez-le en .xlsx ou en «\u00a0CSV UTF-8\u00a0» et choisissez ce fichier.",
      damagedWorkbook:
        "Ce classeur est endommagé. Ouvrez-le dans Excel ou LibreOffice, enregistrez-le à nouveau et choisissez ce fichier.",
      tooManyCells:
        "Ce classeur est trop grand\u00a0: sa feuille a plus de cellules qu’il n’en tient ici. Enregistrez les lignes qu’il vous faut dans un classeur à part.",
      binary: "Ce fichier n’est ni du texte ni un classeur. Choisissez un fichier .xlsx ou CSV.",
      tooLarge:
        "Ce fichier a plus de 5 Mo. Une liste a au plus 5\u202f000 lignes\u00a0: choisissez un autre fichier, ou des parties de celui-ci.",
      empty: "Cette liste est vide.",
      tooManyRows: count({
        one: "Cette liste a {n} ligne\u00a0; 5\u202f000 au plus sont possibles. Partagez-la.",
        other: "Cette liste a {n} lignes\u00a0; 5\u202f000 au plus sont possibles. Partagez-la.",
      }),
      tooManyColumns:
        "La ligne {row} a {count} cellules\u00a0; 200 au plus sont possibles. Le séparateur est-il le bon\u00a0?",
      openQuote:
        "À la ligne {row}, un guillemet ne se ferme jamais, ou se ferme avant la fin de sa cellule. Corrigez-le dans le fichier.",
      tooLongCell:
        "À la ligne {row}, une cellule a {count} caractères\u00a0; 32\u202f767 au plus sont possibles.",
      unknownEncoding:
        "Ce fichier n’est pas en UTF-8\u00a0: des noms pourraient être faux. Choisissez ci-dessous la ligne où ils sont justes.",
      wrongEncoding:
        "Ce fichier n’est pas dans l’encodage choisi. Choisissez ci-dessous la ligne où les noms sont justes.",
      lostCharacters:
        "Des lettres de ce fichier étaient déjà perdues avant que vous ne le choisissiez\u00a0: à leur place, il y a des � ou des caractères de contrôle. Exportez-le à nouveau en «\u00a0CSV UTF-8\u00a0».",
      decodedTwice:
        "Ce fichier a été enregistré en UTF-8, ouvert dans un autre encodage puis réenregistré\u00a0: José est devenu JosÃ©. Exportez-le à nouveau en «\u00a0CSV UTF-8\u00a0».",
      noColumn: "Aucune colonne n’a de noms d’utilisateur. Dites ci-dessous laquelle c’est.",
    },
    readAs: "Comment la liste a été lue",
    sheet: "Feuille",
    encoding: "Encodage",
    writings: {
      western: "Europe de l’Ouest",
      central: "Europe centrale",
      baltic: "Balte",
      nordic: "Nordique",
      celtic: "Celtique",
      southern: "Europe du Sud",
    },
    otherEncoding: "Autre encodage",
    chooseEncoding: "Choisissez…",
    delimiter: "Les cellules sont séparées par",
    delimiters: { ",": "virgule", ";": "point-virgule", "\t": "tabulation", "|": "barre" },
    headingRow: "Ligne des titres",
    noHeadings: "Aucune",
    columns: "Ce que disent les colonnes",
    column: "Colonne {n}",
    meanings: {
      username: "Nom d’utilisateur",
      email: "Adresse e-mail",
      fullName: "Nom complet",
      givenName: "Prénom",
      familyName: "Nom de famille",
      sortedName: "Nom de famille d’abord",
      learnerId: "Numéro d’étudiant",
      grade: "Note (pourcentage)",
      hours: "Heures",
      awardDate: "Date d’obtention",
      attribute: "Autre texte à imprimer",
      ignored: "Pas utilisée",
    },
    knownById: "Le numéro d’étudiant sert aussi de nom d’utilisateur",
    knownByIdMeans: "Les apprenants ajoutés seront connus sous ce numéro.",
    attributeKey: "Nom dans le modèle",
    attributeKeyMeans:
      "Un modèle l’imprime là où il a {learner.key} ou {enrollment.key}\u00a0: tapez cette clé, en minuscules de a à z, chiffres et «\u00a0_\u00a0».",
    factsMean:
      "L’attestation dit ce que disent ces colonnes, à la place des enregistrements\u00a0: numéro d’étudiant, note, heures, date d’obtention et autres textes. Un modèle n’imprime que ce pour quoi il a une place.",
    unclearGrades: "Dans la colonne des notes, rien ne dépasse 1. Que signifie {grade}\u00a0?",
    unclearScale: "Dans la colonne des notes, rien ne dépasse 30. Qu’est-ce que {grade}\u00a0?",
    otherScale: "Une note sur un autre barème\u00a0: l’imprimer telle quelle",
    unclearDay: "Quel jour est {day}\u00a0?",
    gradeMeans: "{grade} signifie {percent}",
    row: "Ligne",
    rows: count({ one: "{n} ligne", other: "{n} lignes" }),
    skipCheck: "Délivrer sans vérifier les conditions",
    skipCheckMeans:
      "Aussi à ceux qui ne les remplissent pas, ou ne sont pas inscrits. La délivrance et ses événements le disent.",
    addLearners: "Ajouter les apprenants que le service ne connaît pas",
    addLearnersMeans:
      "Avec le nom et l’adresse de la liste. Ce que la plateforme en dit plus tard les remplace.",
    judging: "Examen de chaque ligne…",
    judged: "Ce que devient chaque ligne",
    outcome: "Résultat",
    ready: "Prête",
    readyNew: "Prête, comme nouvel apprenant",
    rowFaults: {
      "no-learner": "N’a pas de nom d’utilisateur",
      "no-username": "N’a pas de nom d’utilisateur",
      "no-name": "Inconnu et sans nom : donnez-lui un nom, et il sera ajouté",
      "malformed-email": "Ce n’est pas une adresse e-mail",
      "malformed-grade": "La note n’est pas un pourcentage de 0 à 100",
      "malformed-hours": "Les heures ne sont pas un nombre",
      "malformed-day":
        "La date d’obtention n’est pas un jour, ou pourrait en être deux\u00a0: écrivez-la comme 2026-06-30",
      "changed-id":
        "Le numéro a été modifié par un tableur, par exemple en 1,2E+11\u00a0: mettez la colonne au format texte et exportez à nouveau la liste",
      sum: "Pas une personne\u00a0: une somme ou une moyenne",
      "error-value": "Une cellule utilisée affiche une erreur, comme #N/A",
    },
    listedTwice: "Figure aussi à la ligne {row}",
    show: "Afficher les lignes par résultat",
    more: count({ other: "En afficher {n} de plus" }),
    rejects: count({ one: "Enregistrer la ligne rejetée", other: "Enregistrer les {n} lignes rejetées" }),
    rejectsFile: "lignes-rejetees",
    nobodyReady: "Aucune ligne n’est prête.",
  },
  without: {
    title: "Qui ne l’a pas, et pourquoi",
    means: "Tous les inscrits sans attestation valide, avec la raison.",
    waiting: "L’a obtenue\u00a0: la prochaine émission la lui donne",
    notMet: "Ne remplit pas les conditions",
    counted: "{none} inscrits sur {enrolled} ne l’ont pas.",
    unread:
      "Lors de la dernière lecture, la plateforme n’a pas pu tout dire. Les participants et leurs résultats peuvent être plus anciens :",
    withheld:
      "Une plateforme ne dit pas encore tout. Personne ne peut remplir de conditions sur ces résultats :",
    empty: "Tous les inscrits ont cette attestation",
  },
};
