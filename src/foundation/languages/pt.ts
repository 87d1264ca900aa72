import type { Wording } from "./en.js";

export const words: Wording = {
  document: {
    awardedTo: "confere-se a",
    for: "por",
    forCompleting: "pela conclusão de",
    forAttending: "pela participação em",
    dateOfIssue: "Data de emissão",
    dateOfAward: "Data de atribuição",
    validUntil: "Válido até",
    completion: "Conclusão",
    signature: "Assinatura",
    grade: "Nota",
    hours: "Horas",
    credits: "Créditos",
    learnerId: "Matrícula",
    steps: "Cursos",
    verifyAt: "Verificar em",
    identifier: "Identificador",
    contact: "Contato",
    imprint: "Aviso legal",
  },

  design: {
    classic: "Clássico",
    classicMeans:
      "Letra romana centralizada em uma moldura dupla de cantos recortados, com um selo discreto. Para a maioria dos certificados.",
    modern: "Moderno",
    modernMeans:
      "Letra sem serifa alinhada à esquerda, com margem de cor e anéis. Para escolas de tecnologia, negócios e design.",
    minimal: "Minimalista",
    minimalMeans: "O nome sobre muito branco, com linhas finas. Para quem não precisa de ornamentos.",
    diploma: "Diploma",
    diplomaMeans: "Uma moldura gravada e um selo entre duas assinaturas. Para graus e diplomas.",
    portrait: "Vertical",
    portraitMeans:
      "Na vertical, com espaço para um brasão, uma roseta e um selo gravado. Para pastas e paredes.",
    bilingual: "Bilíngue",
    bilingualMeans:
      "Título, expressões e data em dois idiomas. Para programas conjuntos e uso internacional.",
    "micro-credential": "Microcredencial",
    "micro-credentialMeans":
      "Um painel de cor com um distintivo, e os resultados em uma tabela. Para cursos breves com créditos.",
    attendance: "Participação",
    attendanceMeans:
      "Vertical e simples: quem participou em quê e durante quanto tempo. Para oficinas e formação.",
    engraved: "Gravado",
    engravedMeans:
      "O modelo incorporado: moldura de guilochês, rosetas e selo. Cor, logotipo e uma assinatura podem ser escolhidos.",
  },

  mail: {
    greeting: "Olá, {name},",
    subject: "{platformName}: seu certificado de {learningContextName} está disponível",
    heading: "Seu certificado está disponível",
    introduction: "Parabéns! {platformName} emitiu um certificado para você.",
    credentialType: "Certificado: {credentialType}",
    learningContext: "Curso ou trilha de aprendizagem: {learningContextName}",
    download: "Baixar o certificado",
    privacy: "O link para baixar é pessoal: quem o tiver pode baixar seu certificado.",
    expirySubject: "{platformName}: seu certificado de {learningContextName} expira em breve",
    expiryHeading: "Seu certificado expira em breve",
    expiryIntroduction: "Seu certificado de {platformName} é válido até {lastDay}.",
    expiryLink: "Ver o certificado",
    verificationPage: "Ver e compartilhar",
    walletPage: "Guardá-lo em um aplicativo de carteira",
    replacementSubject: "{platformName}: seu certificado de {learningContextName} foi substituído",
    replacementHeading: "Seu certificado foi substituído",
    replacementIntroduction:
      "{platformName} emitiu um novo certificado para você. Ele substitui o anterior, que não é mais válido: use apenas o novo.",
    withdrawalSubject: "{platformName}: seu certificado de {learningContextName} foi retirado",
    withdrawalHeading: "Seu certificado foi retirado",
    withdrawalIntroduction:
      "{platformName} retirou um certificado que havia sido emitido para você. Ele não é mais válido.",
    withdrawalReason: "Motivo: {reason}",
    withdrawalContact: "Se você acha que se trata de um engano, entre em contato com {platformName}.",
    contact: "Contato",
    imprint: "Aviso legal",
  },

  page: {
    contact: "Contato",
    imprint: "Aviso legal",
    languages: "Idioma",

    verification: "Verificação de certificados",
    genuine: "Este certificado é autêntico",
    genuineMeans: "{platformName} o emitiu, e ele é válido.",
    nameUnconfirmed: "O nome não pode mais ser confirmado",
    nameUnconfirmedMeans:
      "{platformName} emitiu este certificado, e ele é válido. O nome foi removido a pedido do titular, portanto uma cópia que leve até aqui pode ter qualquer nome. Não confie apenas no nome que está em um documento.",
    invalidated: "Este certificado foi invalidado",
    invalidatedMeans: "{platformName} o emitiu e depois o retirou. Ele não é mais válido.",
    wasReplaced: "Este certificado foi substituído",
    wasReplacedMeans:
      "{platformName} emitiu um novo no lugar dele, em geral para corrigir um dado. Confie no novo: este não é mais válido.",
    elsewhere: "Este certificado foi emitido em outro lugar",
    elsewhereMeans: "{platformName} o assumiu em {date}, e ele é válido.",
    elsewhereUnconfirmedMeans:
      "Este certificado foi emitido em outro lugar. {platformName} o assumiu em {date}, e ele é válido. O nome foi removido a pedido do titular, portanto uma cópia que leve até aqui pode ter qualquer nome. Não confie apenas no nome que está em um documento.",
    elsewhereInvalidatedMeans:
      "Foi emitido em outro lugar, e {platformName} o assumiu em {date}. Ele não é mais válido.",
    expired: "Este certificado expirou",
    expiredMeans: "{platformName} o emitiu, e ele foi válido até {lastDay}.",
    elsewhereExpiredMeans:
      "Foi emitido em outro lugar, e {platformName} o assumiu em {date}. Ele foi válido até {lastDay}.",
    notFound: "Certificado não encontrado",
    notFoundMeans:
      "{platformName} não conhece nenhum certificado com este identificador. Compare-o com o documento, caractere por caractere. Se for o mesmo, não confie no documento.",

    holder: "Titular",
    nameRemoved: "Nome removido a pedido do titular",
    course: "Curso",
    learningPath: "Trilha de aprendizagem",
    credentialType: "Certificado",
    issuer: "Emitido por",
    issuerNotNamed: "Outra instituição, que não é indicada",
    sealedBy: "PDF selado por",
    logProof: "Prova para o futuro",
    logProofMeans:
      "O registro público do emissor contém exatamente este arquivo desde {date}, no máximo. Guarde a prova com o arquivo: qualquer pessoa pode verificar ambos sem esta página, mesmo que ela não exista mais.",
    downloadLogProof: "Baixar a prova",
    noLogProof:
      "Não há prova deste certificado: é recente demais, não está mais em vigor ou não está no registro.",
    anyProofAlone: "Agora escolha também o PDF",
    anyProofAloneMeans: "Isto é uma prova. Ela precisa do PDF a que pertence.",
    anyLogged: "A prova está correta",
    anyLoggedMeans:
      "Exatamente este PDF está no registro público {origin}. A prova não diz se o certificado ainda está em vigor.",
    anyNotLogged: "A prova não está correta",
    anyNotLoggedMeans: "Ela pertence a outro arquivo, foi alterada ou é do registro de outro emissor.",
    takenOver: "Assumido por",
    issued: "Data de emissão",
    status: "Situação",
    statusAvailable: "Válido",
    statusInvalidated: "Invalidado",
    statusExpired: "Expirado",
    statusReplaced: "Substituído",
    validUntil: "Válido até",
    renewed: "Renovado",
    seeRenewal: "Ver o certificado que o renova",
    withdrawn: "Retirado em",
    replaced: "Substituído por",
    seeReplacement: "Ver o certificado que o substitui",
    reason: "Motivo",
    identifier: "Identificador",
    checked: "Verificado",
    skills: "Competências",
    credits: "Créditos",
    notConfirmedHere: "Não confirmado por esta página",
    otherDetails: "Outros dados do documento",
    fieldOfStudy: "Área de estudo",
    definedBy: "Definido por",

    fileCheck: "Este arquivo é o original?",
    fileCheckMeans:
      "Se você recebeu um PDF, compare-o com o que foi emitido. Quem faz isso é o seu navegador: o arquivo não sai do seu dispositivo.",
    chooseFile: "Escolher o PDF",
    dropFile: "ou solte-o aqui",
    fileChecking: "Comparando…",
    fileIdentical: "É o original",
    fileIdenticalMeans: "O arquivo é idêntico ao que foi emitido.",
    fileIdenticalInvalidated: "O arquivo é idêntico ao que foi emitido, mas o certificado foi invalidado.",
    fileIdenticalExpired: "O arquivo é idêntico ao que foi emitido, mas o certificado expirou.",
    fileTakenOver: "É o arquivo que foi assumido",
    fileTakenOverMeans:
      "O arquivo é idêntico ao que {platformName} assumiu em {date}. Foi emitido em outro lugar.",
    fileTakenOverInvalidated:
      "O arquivo é idêntico ao que {platformName} assumiu em {date}, mas o certificado foi invalidado.",
    fileTakenOverExpired:
      "O arquivo é idêntico ao que {platformName} assumiu em {date}, mas o certificado expirou.",
    fileDifferent: "Não é o arquivo que foi emitido",
    fileDifferentMeans:
      "Foi alterado, salvo de novo ou pertence a outro certificado. Confie no que esta página diz, não no arquivo.",
    fileUnreadable: "Não é possível ler o arquivo. Escolha-o novamente.",
    byHand: "Comparar manualmente",
    byHandChecksum: "A soma de verificação SHA-256 do arquivo que foi emitido é:",
    byHandCommands: "Estes comandos mostram a soma de verificação do seu arquivo:",

    anyFile: "Verificar um arquivo",
    anyFileMeans:
      "Escolha um PDF, uma insígnia em PNG, SVG, JSON ou JWT, ou um histórico de certificados. Seu navegador verifica o arquivo, que fica no seu dispositivo: só a soma de verificação de um PDF é enviada.",
    anyFileUnscripted:
      "Este navegador não pode verificar arquivos aqui: são necessários JavaScript e uma página recebida por HTTPS. Digite o identificador em vez disso.",
    chooseAnyFile: "Escolher um arquivo",
    anyFileChecking: "Verificando…",
    anyGenuine: "Este arquivo é autêntico",
    anyGenuineMeans: "Foi emitido aqui, não foi alterado e é válido.",
    anyWithdrawn: "Este certificado não é mais válido",
    anyWithdrawnMeans:
      "O arquivo foi emitido aqui e não foi alterado, mas o certificado foi retirado ou expirou.",
    anyEarly: "Este certificado ainda não é válido",
    anyEarlyMeans:
      "O certificado foi emitido aqui e não foi alterado, mas ainda não é válido ou não informa a partir de quando.",
    anyBadgeGenuine: "A insígnia neste arquivo é autêntica",
    anyBadgeGenuineMeans: "A insígnia foi emitida aqui, não foi alterada e é válida.",
    anyBadgeWithdrawnMeans:
      "A insígnia foi emitida aqui e não foi alterada, mas o certificado foi retirado ou expirou.",
    anyBadgeOnly:
      "Ninguém responde pelo que está em volta da insígnia: qualquer pessoa pode colocar uma insígnia autêntica em uma imagem, página ou arquivo próprio. Compare o nome que aparece ali com o que está aqui.",
    anyRecordGenuine: "Este histórico é autêntico",
    anyRecordGenuineMeans: "Ele foi montado aqui, não foi alterado e todos os certificados nele são válidos.",
    anyRecordPartly: "Nem tudo neste histórico é válido",
    anyRecordPartlyMeans:
      "Ele foi montado aqui e não foi alterado. Abaixo está o que foi retirado desde então, expirou ou não pode ser confirmado.",
    anyRecordExpired: "Este histórico está desatualizado",
    anyRecordExpiredMeans:
      "Ele foi montado aqui e não foi alterado, mas seu prazo acabou. Peça um novo ao titular.",
    anyRecordPage:
      "Ninguém responde pela página em si: qualquer pessoa pode colocar um histórico autêntico em uma que fez. Compare-a com o que está listado aqui.",
    notConfirmed: "Não confirmado",
    anyAltered: "Este arquivo foi alterado",
    anyAlteredMeans: "Ele afirma vir daqui, mas não é o que foi emitido. Não confie no que ele mostra.",
    anyForeign: "Este arquivo indica outro emissor",
    anyForeignMeans:
      "Esta página conhece apenas as assinaturas deste serviço e, por isso, não pode dizer se o arquivo é autêntico. Consulte o emissor indicado.",
    anyUnknown: "Este arquivo não é conhecido aqui",
    anyUnknownMeans:
      "Não é um certificado daqui, ou foi impresso ou salvo de novo. Digite o identificador que está impresso nele.",
    anyUnchecked: "Este arquivo não pode ser verificado agora",
    anyUncheckedMeans:
      "Não é possível contatar o serviço, ou este navegador é antigo demais. Tente de novo, ou digite o identificador.",

    forHolder: "Este certificado é seu?",
    addToLinkedIn: "Adicionar ao perfil do LinkedIn",
    wallet: "Carteira",
    walletMeans:
      "Escaneie o código com um aplicativo de carteira, como o Learner Credential Wallet, ou abra esta página no telefone que o tem.",
    openLearnerWallet: "Abrir no Learner Credential Wallet",
    openOtherWallet: "Abrir em outra carteira",
    walletInvalidated: "Este certificado foi invalidado: aplicativos de carteira não podem mais obtê-lo.",
    walletErased:
      "Os dados desta pessoa foram apagados aqui: não há mais um nome que um aplicativo de carteira possa obter.",
    walletElsewhere:
      "Outro sistema emitiu este certificado: aplicativos de carteira não podem obtê-lo aqui. O documento e a página permanecem.",
    walletNone:
      "Certificados deste tipo não são feitos para aplicativos de carteira. O documento e a página permanecem.",
    walletNoHttps:
      "Este serviço não tem endereço HTTPS, de que aplicativos de carteira e JWTs precisam. O PDF e a insígnia em JSON, PNG ou SVG podem ser baixados.",
    walletPrivacy:
      "Quem tiver o endereço desta página pode obter o certificado. Passe-o apenas aos seus próprios dispositivos.",
    link: "Link para esta página",
    copyLink: "Copiar",
    linkCopied: "Copiado",

    verifyAnother: "Verificar outro certificado",
    trustAddress: "Confie nesta página apenas em {address}",
    form: "Verificar um certificado",
    formMeans: "Digite o identificador ou o endereço que está impresso no documento.",
    formExample: "Por exemplo, {address}",
    verify: "Verificar",
    unreadableIdentifier:
      "Isto não é um identificador. Tem 32 dígitos, de 0 a 9 e de a até f, ou é um endereço que começa com {address}",

    download: "Download",
    linkLeadsNowhere: "Este link não leva a lugar nenhum. Verifique se é o link completo do seu e-mail.",
    downloadInvalidated: "Este certificado foi invalidado: não pode mais ser baixado.",
    downloadUnavailable: "Este certificado não está disponível: não pode ser baixado agora.",
    downloadNotFound: "Esse certificado não existe ou não é seu.",
    downloadRefused: "Entre primeiro em sua plataforma de aprendizagem e depois abra o link novamente.",

    myCredentials: "Seus certificados",
    myCredentialsMean:
      "Certificados emitidos para você, do mais recente ao mais antigo. Os documentos são seus. Compartilhe a página de um certificado com quem quiser verificá-lo.",
    noCredentials: "Ainda não foi emitido nenhum certificado para você.",
    moreCredentials: "Mais certificados",
    downloadFile: "Baixar o PDF",
    seeForOthers: "Ver e compartilhar a página",
    toWallet: "Guardá-lo em um aplicativo de carteira",
    wholeRecord: "Baixar tudo em um só arquivo",
    wholeRecordMeans:
      "Um arquivo assinado com as insígnias de todos os certificados válidos aqui, para programas de empregadores e universidades. É válido por 90 dias.",
    noRecord:
      "Nenhum dos seus certificados tem uma insígnia válida agora, então não há nada para pôr em um arquivo.",
    recordAsPdf: "Baixar em PDF",
    recordAsPdfMeans: "O PDF os lista para leitura e contém o mesmo arquivo.",
    learnerRecord: "Histórico de certificados",
    learnerRecordMeans:
      "Cada um destes certificados era válido em {date}. Se ainda é, a página dele diz. O arquivo anexo record.json diz o mesmo a programas: está assinado por {platformName} e é válido até {lastDay}.",
    learnerRecordPartial: "O titular tem outros certificados, que não estão listados aqui.",
    pageOf: "Página {page} de {pages}",
    statusGenerating: "Em preparação",

    signIn: "Acesso ao console",
    notSignedIn: "Você não entrou",
    signInNotBegun:
      "Este navegador não começou a entrar, ou faz tempo demais. Abra o console e entre novamente.",
    signInCancelled: "A entrada foi cancelada, ou recusada pelo provedor de identidade.",
    signInNotProven:
      "A resposta do provedor de identidade não pertence a esta entrada, ou expirou. Comece de novo.",
    providerOutOfReach: "Não é possível contatar o provedor de identidade. Tente mais tarde.",
    notStaff:
      "Você é conhecido como {username}, que não faz parte da equipe aqui. O provedor de identidade precisa dizer isso em uma destas declarações (claims): {claims}",
    notAPerson: "Você é conhecido como {username}, que é um serviço. O console é para pessoas.",
    signInRefused:
      "A resposta do provedor de identidade não é aceita aqui. Pergunte a quem administra este serviço.",
    backToConsole: "Voltar ao console",

    ltiCourse: "Seus certificados neste curso",
    ltiNothing: "Ainda não é possível obter nenhum certificado neste curso.",
    ltiEarned: "Você cumpriu todos os requisitos.",
    ltiNotEarned: "Ainda não obtido",
    ltiPart: "Parte",
    ltiYours: "Obtido",
    ltiNeeded: "Necessário",
    ltiTotal: "Total",
    ltiCompleted: "Concluído",
    ltiPassed: "Aprovação na plataforma",
    ltiYes: "Sim",
    ltiNotYet: "Ainda não",
    ltiLetter: "Conceito",
    ltiOrBetter: "{letter} ou superior",
    ltiRefresh: "Atualizar",
    ltiNotOpened: "Esta página não pode ser aberta",
    ltiForAdministrators: "Informe isto a quem administra sua plataforma de aprendizagem:",
    ltiSignIn: "Entre na sua plataforma de aprendizagem e abra esta página novamente.",
    ltiPending:
      "Sua plataforma de aprendizagem pediu para mostrar {platformName} aqui. Quem administra {platformName} precisa aceitar primeiro.",
    ltiNoCourse: "{platformName} ainda não conhece este curso. Pergunte a quem o administra.",
    ltiUnknownPerson:
      "{platformName} ainda não conhece você neste curso. Volte amanhã ou pergunte a quem o administra.",
    ltiErased: "Seus dados foram apagados aqui a seu pedido, por isso nada pode ser mostrado.",
    ltiNoRole:
      "Esta página mostra aos estudantes seus certificados. Não há nada para a sua função neste curso.",
    ltiTeacher: "Certificados deste curso",
    ltiTeacherMeans:
      "Veja quem obteve qual certificado. O console abre em uma aba própria; o link funciona uma só vez, durante dez minutos.",
    ltiOpenConsole: "Abrir o console",
    ltiPlace: "Adicionar ao curso",
    ltiExpired: "Esta página foi aberta há muito tempo. Abra-a novamente no seu curso.",
    ltiNewTab: "Abrir esta página em uma nova aba",
    ltiNewTabMeans:
      "Seu navegador não guarda nada para páginas dentro de outras páginas, por isso aqui não dá para saber que é você.",
    ltiNewTabByHand:
      "Seu navegador não guarda nada para páginas dentro de outras páginas. Permita cookies de {address} ou use outro navegador.",
    ltiMoment: "Um momento…",
    ltiContinue: "Continuar",
    ltiRegister: "Registrar {platformName} na sua plataforma de aprendizagem",
    ltiRegisterMeans:
      "Sua plataforma em {address} poderá mostrar {platformName} nos cursos. Ela informará nomes, endereços e funções de quem o abrir, e os membros desses cursos se você permitir.",
    ltiRegisterNow: "Registrar",
    ltiRegistered: "Registrado",
    ltiRegisteredMeans:
      "Quem administra {platformName} precisa agora aceitar sua plataforma. Você pode fechar esta janela.",
    ltiInvitation: "Este link já foi usado, expirou ou nunca existiu. Peça um novo.",

    onlyGet: "Aqui só são aceitos GET e HEAD.",
    outOfReach: "Não é possível responder neste momento. Tente novamente mais tarde.",
    fault: "Algo deu errado aqui. Tente novamente mais tarde.",
  },
};
