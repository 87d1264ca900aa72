import type { Wording } from "./en.js";

export const words: Wording = {
  document: {
    awardedTo: "se otorga a",
    for: "por",
    forCompleting: "por haber completado",
    forAttending: "por la participación en",
    dateOfIssue: "Fecha de emisión",
    dateOfAward: "Fecha de concesión",
    validUntil: "Válida hasta",
    completion: "Progreso",
    signature: "Firma",
    grade: "Calificación",
    hours: "Horas",
    credits: "Créditos",
    learnerId: "N.º de estudiante",
    steps: "Cursos",
    verifyAt: "Verificar en",
    identifier: "Identificador",
    contact: "Contacto",
    imprint: "Aviso legal",
  },

  design: {
    classic: "Clásico",
    classicMeans:
      "Letra romana centrada en un marco doble de esquinas recortadas, con un sello discreto. Para la mayoría de los certificados.",
    modern: "Moderno",
    modernMeans:
      "Letra de palo seco alineada a la izquierda, con borde de color y anillos. Para escuelas de tecnología, negocios y diseño.",
    minimal: "Minimalista",
    minimalMeans: "El nombre sobre mucho blanco, con líneas finas. Para quienes no necesitan adornos.",
    diploma: "Diploma",
    diplomaMeans: "Un marco grabado y un sello entre dos firmas. Para títulos y diplomas.",
    portrait: "Vertical",
    portraitMeans:
      "En vertical, con sitio para un escudo, una roseta y un sello grabado. Para carpetas y paredes.",
    bilingual: "Bilingüe",
    bilingualMeans:
      "Título, expresiones y fecha en dos idiomas. Para programas conjuntos y uso internacional.",
    "micro-credential": "Microcredencial",
    "micro-credentialMeans":
      "Un panel de color con insignia y los resultados en una tabla. Para cursos breves con créditos.",
    attendance: "Asistencia",
    attendanceMeans:
      "Vertical y sencillo: quién participó en qué y durante cuánto tiempo. Para talleres y formación.",
    engraved: "Grabado",
    engravedMeans:
      "El diseño incorporado: marco de guilloches, rosetas y sello. Se pueden elegir el color, el logotipo y una firma.",
  },

  mail: {
    greeting: "Hola, {name}:",
    subject: "{platformName}: su credencial de {learningContextName} está disponible",
    heading: "Su credencial está disponible",
    introduction: "¡Enhorabuena! {platformName} le ha otorgado una credencial.",
    credentialType: "Credencial: {credentialType}",
    learningContext: "Curso o itinerario de aprendizaje: {learningContextName}",
    download: "Descargar la credencial",
    privacy: "El enlace de descarga es personal: cualquiera que lo tenga puede descargar su credencial.",
    expirySubject: "{platformName}: su credencial de {learningContextName} caduca pronto",
    expiryHeading: "Su credencial caduca pronto",
    expiryIntroduction: "Su credencial de {platformName} es válida hasta el {lastDay}.",
    expiryLink: "Ver la credencial",
    verificationPage: "Verla y compartirla",
    walletPage: "Guardarla en una aplicación de cartera",
    replacementSubject: "{platformName}: se sustituyó su credencial de {learningContextName}",
    replacementHeading: "Su credencial fue sustituida",
    replacementIntroduction:
      "{platformName} le ha otorgado una nueva credencial. Sustituye a la anterior, que ya no es válida: use solo la nueva.",
    withdrawalSubject: "{platformName}: se retiró su credencial de {learningContextName}",
    withdrawalHeading: "Su credencial fue retirada",
    withdrawalIntroduction:
      "{platformName} ha retirado una credencial que le había otorgado. Ya no es válida.",
    withdrawalReason: "Motivo: {reason}",
    withdrawalContact: "Si cree que se trata de un error, póngase en contacto con {platformName}.",
    contact: "Contacto",
    imprint: "Aviso legal",
  },

  page: {
    contact: "Contacto",
    imprint: "Aviso legal",
    languages: "Idioma",

    verification: "Verificación de credenciales",
    genuine: "Esta credencial es auténtica",
    genuineMeans: "{platformName} la emitió, y es válida.",
    nameUnconfirmed: "El nombre ya no se puede confirmar",
    nameUnconfirmedMeans:
      "{platformName} emitió esta credencial, y es válida. El nombre se eliminó a petición de su titular, así que una copia que lleve aquí puede mostrar cualquier nombre. No confíe solo en el nombre de un documento.",
    invalidated: "Esta credencial fue invalidada",
    invalidatedMeans: "{platformName} la emitió y la ha retirado después. Ya no es válida.",
    wasReplaced: "Esta credencial fue sustituida",
    wasReplacedMeans:
      "{platformName} emitió una nueva en su lugar, por lo general para corregir un dato. Confíe en la nueva: esta ya no es válida.",
    elsewhere: "Esta credencial se emitió en otro lugar",
    elsewhereMeans: "{platformName} la incorporó el {date}, y es válida.",
    elsewhereUnconfirmedMeans:
      "Esta credencial se emitió en otro lugar. {platformName} la incorporó el {date}, y es válida. El nombre se eliminó a petición de su titular, así que una copia que lleve aquí puede mostrar cualquier nombre. No confíe solo en el nombre de un documento.",
    elsewhereInvalidatedMeans:
      "Se emitió en otro lugar, y {platformName} la incorporó el {date}. Ya no es válida.",
    expired: "Esta credencial ha caducado",
    expiredMeans: "{platformName} la emitió y fue válida hasta el {lastDay}.",
    elsewhereExpiredMeans:
      "Se emitió en otro lugar y {platformName} la incorporó el {date}. Fue válida hasta el {lastDay}.",
    notFound: "Credencial no encontrada",
    notFoundMeans:
      "{platformName} no conoce ninguna credencial con este identificador. Compárelo con el documento, carácter por carácter. Si es el mismo, no confíe en el documento.",

    holder: "Titular",
    nameRemoved: "Nombre eliminado a petición de su titular",
    course: "Curso",
    learningPath: "Itinerario de aprendizaje",
    credentialType: "Credencial",
    issuer: "Emitida por",
    issuerNotNamed: "Otra institución, que no se nombra",
    sealedBy: "PDF sellado por",
    logProof: "Prueba para el futuro",
    logProofMeans:
      "El registro público del emisor contiene exactamente este archivo a más tardar desde el {date}. Guarde la prueba junto con el archivo: cualquiera puede comprobar ambos sin esta página, aunque ya no exista.",
    downloadLogProof: "Descargar la prueba",
    noLogProof:
      "No hay prueba de esta credencial: es demasiado reciente, ya no está vigente o no está en el registro.",
    anyProofAlone: "Elija ahora también el PDF",
    anyProofAloneMeans: "Esto es una prueba. Necesita el PDF al que pertenece.",
    anyLogged: "La prueba es correcta",
    anyLoggedMeans:
      "Exactamente este PDF está en el registro público {origin}. La prueba no dice si la credencial sigue vigente.",
    anyNotLogged: "La prueba no es correcta",
    anyNotLoggedMeans: "Pertenece a otro archivo, fue modificada o es del registro de otro emisor.",
    takenOver: "Incorporada por",
    issued: "Fecha de emisión",
    status: "Estado",
    statusAvailable: "Válida",
    statusInvalidated: "Invalidada",
    statusExpired: "Caducada",
    statusReplaced: "Sustituida",
    validUntil: "Válida hasta",
    renewed: "Renovada",
    seeRenewal: "Ver la credencial que la renueva",
    withdrawn: "Retirada el",
    replaced: "Sustituida por",
    seeReplacement: "Ver la credencial que la sustituye",
    reason: "Motivo",
    identifier: "Identificador",
    checked: "Comprobado",
    skills: "Competencias",
    credits: "Créditos",
    notConfirmedHere: "Sin confirmar en esta página",
    otherDetails: "Otros datos del documento",
    fieldOfStudy: "Área de estudio",
    definedBy: "Definido por",

    fileCheck: "¿Este archivo es el original?",
    fileCheckMeans:
      "Si le enviaron un PDF, compárelo con el que se emitió. Lo hace su navegador: el archivo no sale de su dispositivo.",
    chooseFile: "Elegir el PDF",
    dropFile: "o soltarlo aquí",
    fileChecking: "Comparando…",
    fileIdentical: "Es el original",
    fileIdenticalMeans: "El archivo es idéntico al que se emitió.",
    fileIdenticalInvalidated: "El archivo es idéntico al que se emitió, pero la credencial fue invalidada.",
    fileIdenticalExpired: "El archivo es idéntico al que se emitió, pero la credencial ha caducado.",
    fileTakenOver: "Es el archivo que se incorporó",
    fileTakenOverMeans:
      "El archivo es idéntico al que {platformName} incorporó el {date}. Se emitió en otro lugar.",
    fileTakenOverInvalidated:
      "El archivo es idéntico al que {platformName} incorporó el {date}, pero la credencial fue invalidada.",
    fileTakenOverExpired:
      "El archivo es idéntico al que {platformName} incorporó el {date}, pero la credencial ha caducado.",
    fileDifferent: "No es el archivo que se emitió",
    fileDifferentMeans:
      "Fue modificado, se guardó de nuevo o pertenece a otra credencial. Confíe en lo que dice esta página, no en el archivo.",
    fileUnreadable: "No se puede leer el archivo. Elíjalo otra vez.",
    byHand: "Comparar a mano",
    byHandChecksum: "La suma de comprobación SHA-256 del archivo que se emitió es:",
    byHandCommands: "Estos comandos muestran la suma de comprobación de su archivo:",

    anyFile: "Comprobar un archivo",
    anyFileMeans:
      "Elija un PDF, una insignia en PNG, SVG, JSON o JWT, o un expediente de credenciales. Su navegador lo comprueba: el archivo se queda en su dispositivo y solo se envía la suma de comprobación de un PDF.",
    anyFileUnscripted:
      "Este navegador no puede comprobar archivos aquí: necesita JavaScript y una página recibida por HTTPS. Introduzca el identificador en su lugar.",
    chooseAnyFile: "Elegir un archivo",
    anyFileChecking: "Comprobando…",
    anyGenuine: "Este archivo es auténtico",
    anyGenuineMeans: "Se emitió aquí, no se ha modificado y es válido.",
    anyWithdrawn: "Esta credencial ya no es válida",
    anyWithdrawnMeans:
      "El archivo se emitió aquí y no se ha modificado, pero la credencial fue retirada o ha caducado.",
    anyEarly: "Esta credencial todavía no es válida",
    anyEarlyMeans:
      "La credencial se emitió aquí y no se ha modificado, pero todavía no es válida o no indica desde cuándo.",
    anyBadgeGenuine: "La insignia de este archivo es auténtica",
    anyBadgeGenuineMeans: "La insignia se emitió aquí, no se ha modificado y es válida.",
    anyBadgeWithdrawnMeans:
      "La insignia se emitió aquí y no se ha modificado, pero la credencial fue retirada o ha caducado.",
    anyBadgeOnly:
      "Nadie responde de lo que rodea a la insignia: cualquiera puede poner una insignia auténtica en una imagen, una página o un archivo propios. Compare el nombre que aparece allí con el de aquí.",
    anyRecordGenuine: "Este expediente es auténtico",
    anyRecordGenuineMeans: "Se preparó aquí, no se ha modificado y todas sus credenciales son válidas.",
    anyRecordPartly: "No todo en este expediente es válido",
    anyRecordPartlyMeans:
      "Se preparó aquí y no se ha modificado. Abajo se indica lo que se ha retirado desde entonces, ha caducado o no se puede confirmar.",
    anyRecordExpired: "Este expediente está desactualizado",
    anyRecordExpiredMeans:
      "Se preparó aquí y no se ha modificado, pero su plazo ha terminado. Pida uno nuevo a su titular.",
    anyRecordPage:
      "Nadie responde de la página en sí: cualquiera puede poner un expediente auténtico en una suya. Compárela con lo que se enumera aquí.",
    notConfirmed: "Sin confirmar",
    anyAltered: "Este archivo fue alterado",
    anyAlteredMeans: "Dice proceder de aquí, pero no es lo que se emitió. No se fíe de lo que muestra.",
    anyForeign: "Este archivo indica otro emisor",
    anyForeignMeans:
      "Esta página solo conoce las firmas de este servicio, así que no puede decir si el archivo es auténtico. Consulte al emisor indicado.",
    anyUnknown: "Este archivo no se conoce aquí",
    anyUnknownMeans:
      "No es una credencial de aquí, o se imprimió o se guardó de nuevo. Introduzca el identificador impreso en él.",
    anyUnchecked: "Este archivo no se puede comprobar ahora",
    anyUncheckedMeans:
      "No se puede acceder al servicio, o este navegador es demasiado antiguo. Inténtelo de nuevo o introduzca el identificador.",

    forHolder: "¿Es su credencial?",
    addToLinkedIn: "Añadir al perfil de LinkedIn",
    wallet: "Cartera",
    walletMeans:
      "Escanee el código con una aplicación de cartera, como Learner Credential Wallet, o abra esta página en el teléfono que la tiene.",
    openLearnerWallet: "Abrir en Learner Credential Wallet",
    openOtherWallet: "Abrir en otra cartera",
    walletInvalidated: "Esta credencial fue invalidada: las aplicaciones de cartera ya no pueden tomarla.",
    walletErased:
      "Los datos de esta persona se borraron aquí: no queda un nombre que una aplicación de cartera pueda tomar.",
    walletElsewhere:
      "Otro sistema emitió esta credencial: las aplicaciones de cartera no pueden tomarla de aquí. Su documento y su página siguen disponibles.",
    walletNone:
      "Las credenciales de este tipo no se hacen para aplicaciones de cartera. Su documento y su página siguen disponibles.",
    walletNoHttps:
      "Este servicio no tiene una dirección HTTPS, que las aplicaciones de cartera y los JWT necesitan. El PDF y la insignia en JSON, PNG o SVG se pueden descargar.",
    walletPrivacy:
      "Quien tenga la dirección de esta página puede obtener la credencial. Pásela solo a sus propios dispositivos.",
    link: "Enlace a esta página",
    copyLink: "Copiar",
    linkCopied: "Copiado",

    verifyAnother: "Verificar otra credencial",
    trustAddress: "Confíe en esta página solo en {address}",
    form: "Verificar una credencial",
    formMeans: "Introduzca el identificador o la dirección que figura en el documento.",
    formExample: "Por ejemplo, {address}",
    verify: "Verificar",
    unreadableIdentifier:
      "Esto no es un identificador. Tiene 32 dígitos, de 0 a 9 y de a hasta f, o es una dirección que empieza por {address}",

    download: "Descarga",
    linkLeadsNowhere:
      "Este enlace no lleva a ninguna parte. Compruebe que es el enlace completo de su correo.",
    downloadInvalidated: "Esta credencial fue invalidada: ya no se puede descargar.",
    downloadUnavailable: "Esta credencial no está disponible: ahora no se puede descargar.",
    downloadNotFound: "No existe esa credencial, o no es suya.",
    downloadRefused: "Inicie sesión primero en su plataforma de aprendizaje y siga el enlace otra vez.",

    myCredentials: "Sus credenciales",
    myCredentialsMean:
      "Credenciales que se le han otorgado, primero las más recientes. Los documentos son suyos. Comparta la página de una credencial con quien quiera comprobarla.",
    noCredentials: "Todavía no se le ha otorgado ninguna credencial.",
    moreCredentials: "Más credenciales",
    downloadFile: "Descargar el PDF",
    seeForOthers: "Ver y compartir su página",
    toWallet: "Guardarla en una aplicación de cartera",
    wholeRecord: "Descargar todo en un archivo",
    wholeRecordMeans:
      "Un archivo firmado con las insignias de todas las credenciales que son válidas aquí, para los programas de empleadores y universidades. Es válido 90 días.",
    noRecord:
      "Ninguna de sus credenciales tiene una insignia válida ahora, así que no hay nada que incluir en un archivo.",
    recordAsPdf: "Descargar en PDF",
    recordAsPdfMeans: "El PDF las enumera para que las lean personas y contiene el mismo archivo.",
    learnerRecord: "Expediente de credenciales",
    learnerRecordMeans:
      "Todas estas credenciales eran válidas el {date}. Si una lo sigue siendo, lo dice su página. El archivo adjunto record.json dice lo mismo para programas: está firmado por {platformName} y es válido hasta el {lastDay}.",
    learnerRecordPartial: "El titular tiene otras credenciales que no figuran aquí.",
    pageOf: "Página {page} de {pages}",
    statusGenerating: "En preparación",

    signIn: "Inicio de sesión en la consola",
    notSignedIn: "No ha iniciado sesión",
    signInNotBegun:
      "Este navegador no ha empezado a iniciar sesión, o lo hizo hace demasiado tiempo. Abra la consola e inicie sesión otra vez.",
    signInCancelled: "El inicio de sesión fue cancelado, o rechazado por el proveedor de identidad.",
    signInNotProven:
      "La respuesta del proveedor de identidad no corresponde a este inicio de sesión, o ha caducado. Empiece de nuevo.",
    providerOutOfReach: "No se puede contactar con el proveedor de identidad. Inténtelo más tarde.",
    notStaff:
      "Se le conoce como {username}, que aquí no es parte del personal. El proveedor de identidad tiene que decirlo en una de estas «claims»: {claims}",
    notAPerson: "Se le conoce como {username}, que es un servicio. La consola es para personas.",
    signInRefused:
      "Aquí no se acepta la respuesta del proveedor de identidad. Pregunte a quienes administran este servicio.",
    backToConsole: "Volver a la consola",

    ltiCourse: "Sus credenciales en este curso",
    ltiNothing: "Todavía no se puede obtener ninguna credencial en este curso.",
    ltiEarned: "Cumple todos los requisitos.",
    ltiNotEarned: "Aún no obtenida",
    ltiPart: "Parte",
    ltiYours: "Obtenido",
    ltiNeeded: "Necesario",
    ltiTotal: "Total",
    ltiCompleted: "Completado",
    ltiPassed: "Aprobado en la plataforma",
    ltiYes: "Sí",
    ltiNotYet: "Todavía no",
    ltiLetter: "Calificación con letra",
    ltiOrBetter: "{letter} o mejor",
    ltiRefresh: "Actualizar",
    ltiNotOpened: "No se puede abrir esta página",
    ltiForAdministrators: "Comunique esto a quienes administran su plataforma de aprendizaje:",
    ltiSignIn: "Inicie sesión en su plataforma de aprendizaje y vuelva a abrir esta página.",
    ltiPending:
      "Su plataforma de aprendizaje ha pedido mostrar {platformName} aquí. Quienes administran {platformName} tienen que aceptarlo antes.",
    ltiNoCourse: "{platformName} todavía no conoce este curso. Pregunte a quienes lo administran.",
    ltiUnknownPerson:
      "{platformName} todavía no le conoce en este curso. Vuelva mañana o pregunte a quienes lo administran.",
    ltiErased: "Sus datos se borraron aquí a petición suya, así que no se puede mostrar nada.",
    ltiNoRole:
      "Esta página muestra sus credenciales a los estudiantes. No hay nada para su función en este curso.",
    ltiTeacher: "Credenciales de este curso",
    ltiTeacherMeans:
      "Vea quién ha obtenido qué credencial. La consola se abre en su propia pestaña; el enlace sirve una sola vez, durante diez minutos.",
    ltiOpenConsole: "Abrir la consola",
    ltiPlace: "Añadir al curso",
    ltiExpired: "Esta página se abrió hace demasiado tiempo. Ábrala de nuevo en su curso.",
    ltiNewTab: "Abrir esta página en una pestaña nueva",
    ltiNewTabMeans:
      "Su navegador no guarda nada para páginas dentro de otras páginas, así que aquí no se puede saber que es usted.",
    ltiNewTabByHand:
      "Su navegador no guarda nada para páginas dentro de otras páginas. Permita las cookies de {address} o use otro navegador.",
    ltiMoment: "Un momento…",
    ltiContinue: "Continuar",
    ltiRegister: "Registrar {platformName} en su plataforma de aprendizaje",
    ltiRegisterMeans:
      "Su plataforma en {address} podrá mostrar {platformName} en los cursos. Comunicará nombres, direcciones y funciones de quienes lo abran, y los miembros de esos cursos si usted lo permite.",
    ltiRegisterNow: "Registrar",
    ltiRegistered: "Registrado",
    ltiRegisteredMeans:
      "Quienes administran {platformName} tienen que aceptar ahora su plataforma. Puede cerrar esta ventana.",
    ltiInvitation: "Este enlace ya se usó, ha caducado o nunca existió. Pida uno nuevo.",

    onlyGet: "Aquí solo se permiten GET y HEAD.",
    outOfReach: "No se puede responder en este momento. Inténtelo más tarde.",
    fault: "Algo ha fallado aquí. Inténtelo más tarde.",
  },
};
