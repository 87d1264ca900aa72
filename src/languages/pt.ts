import type { Wording } from "./en.js";

export const words: Wording = {
  document: {
    awardedTo: "confere-se a",
    for: "por",
    dateOfIssue: "Data de emissão",
    dateOfAward: "Data de atribuição",
    validUntil: "Válido até",
    completion: "Conclusão",
    signature: "Assinatura",
    grade: "Classificação",
    hours: "Horas",
    credits: "Créditos",
    learnerId: "N.º de estudante",
    steps: "Cursos",
    verifyAt: "Verificar em",
    identifier: "Identificador",
  },

  mail: {
    greeting: "Olá, {name},",
    subject: "{platformName}: o seu certificado de {learningContextName} está disponível",
    heading: "O seu certificado está disponível",
    introduction: "{platformName} emitiu um certificado para você.",
    credentialType: "Certificado: {credentialType}",
    learningContext: "Curso ou trilha de aprendizagem: {learningContextName}",
    download: "Baixar o certificado",
    privacy: "Este link é pessoal: quem o tiver pode baixar o seu certificado.",
    expirySubject: "{platformName}: seu certificado de {learningContextName} expira em breve",
    expiryHeading: "Seu certificado expira em breve",
    expiryIntroduction: "Seu certificado de {platformName} é válido até {lastDay}.",
    expiryLink: "Ver o certificado",
    verificationPage: "Ver ou compartilhar a página que o confirma",
    walletPage: "Guardá-lo em um aplicativo de carteira",
    replacementSubject: "{platformName}: o seu certificado de {learningContextName} foi substituído",
    replacementHeading: "O seu certificado foi substituído",
    replacementIntroduction:
      "{platformName} emitiu um novo certificado para você. Ele substitui o anterior, que não é mais válido: use apenas o novo.",
    withdrawalSubject: "{platformName}: o seu certificado de {learningContextName} foi retirado",
    withdrawalHeading: "O seu certificado foi retirado",
    withdrawalIntroduction:
      "{platformName} retirou um certificado que havia sido emitido para você. Ele não é mais válido.",
    withdrawalReason: "Motivo: {reason}",
    withdrawalContact: "Se você acha que se trata de um engano, entre em contato com {platformName}.",
  },

  page: {
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
    learningContext: "Curso ou trilha de aprendizagem",
    credentialType: "Certificado",
    issuer: "Emitido por",
    issuerNotNamed: "Outra instituição, que não é indicada",
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
      "Escolha um PDF, ou um emblema em PNG, SVG, JSON ou JWT. O seu navegador verifica-o: o arquivo fica no seu dispositivo e só é enviada a soma de verificação de um PDF.",
    anyFileUnscripted:
      "Este navegador não pode verificar arquivos aqui: precisa de JavaScript e de uma página recebida por HTTPS. Introduza antes o identificador.",
    chooseAnyFile: "Escolher um arquivo",
    anyFileChecking: "Verificando…",
    anyGenuine: "Este arquivo é autêntico",
    anyGenuineMeans: "Foi emitido aqui, não foi alterado e é válido.",
    anyWithdrawn: "Esta credencial já não é válida",
    anyWithdrawnMeans:
      "O arquivo foi emitido aqui e não foi alterado, mas a credencial foi retirada ou expirou.",
    anyBadgeGenuine: "O emblema neste arquivo é autêntico",
    anyBadgeGenuineMeans: "O emblema foi emitido aqui, não foi alterado e é válido.",
    anyBadgeWithdrawnMeans:
      "O emblema foi emitido aqui e não foi alterado, mas a credencial foi retirada ou expirou.",
    anyBadgeOnly:
      "Ninguém responde pela imagem ou página em si: qualquer pessoa pode pôr um emblema autêntico numa sua. Compare o nome que nela aparece com o que está aqui.",
    anyAltered: "Este arquivo foi alterado",
    anyAlteredMeans: "Diz vir daqui, mas não é o que foi emitido. Não confie no que mostra.",
    anyForeign: "Este arquivo foi emitido por outra entidade",
    anyForeignMeans: "Outro emissor assinou-o. Esta página não pode dizer se é autêntico.",
    anyUnknown: "Este arquivo não é conhecido aqui",
    anyUnknownMeans:
      "Não é uma credencial daqui, ou foi impresso ou guardado de novo. Introduza o identificador impresso nele.",
    anyUnchecked: "Este arquivo não pode ser verificado agora",
    anyUncheckedMeans:
      "O serviço não está acessível, ou este navegador é demasiado antigo. Tente de novo, ou introduza o identificador.",

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

    myCredentials: "Os seus certificados",
    myCredentialsMean:
      "Certificados emitidos para você, o mais recente por último. Os documentos são seus; a página de cada um o confirma a outras pessoas.",
    noCredentials: "Ainda não foi emitido nenhum certificado para você.",
    moreCredentials: "Mais certificados",
    downloadFile: "Baixar o PDF",
    seeForOthers: "Ver a página dele para outras pessoas",
    toWallet: "Guardá-lo em um aplicativo de carteira",
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

    onlyGet: "Aqui só são aceitos GET e HEAD.",
    outOfReach: "Não é possível responder neste momento. Tente novamente mais tarde.",
    fault: "Algo deu errado aqui. Tente novamente mais tarde.",
  },
};
