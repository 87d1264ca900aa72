import type { Wording } from "./wording.js";

export const uk: Wording = {
  tag: "uk",
  direction: "ltr",
  languageName: "Українська",

  document: {
    awardedTo: "отримує",
    for: "за",
    dateOfIssue: "Дата видачі",
    dateOfAward: "Дата присудження",
    validUntil: "Дійсний до",
    completion: "Завершення",
    signature: "Підпис",
    grade: "Оцінка",
    hours: "Години",
    credits: "Кредити",
    learnerId: "Номер слухача",
    steps: "Курси",
    verifyAt: "Перевірити за адресою",
    identifier: "Ідентифікатор",
  },

  mail: {
    greeting: "Вітаємо, {name}!",
    subject: "{platformName}: ваш сертифікат («{learningContextName}») доступний",
    heading: "Ваш сертифікат доступний",
    introduction: "Платформа {platformName} видала вам сертифікат.",
    credentialType: "Сертифікат: {credentialType}",
    learningContext: "Курс або навчальний шлях: {learningContextName}",
    download: "Завантажити сертифікат",
    privacy: "Це посилання особисте: кожен, хто його має, може завантажити ваш сертифікат.",
    expirySubject:
      "{platformName}: строк дії вашого сертифіката з курсу {learningContextName} скоро закінчиться",
    expiryHeading: "Строк дії вашого сертифіката скоро закінчиться",
    expiryIntroduction: "Ваш сертифікат від {platformName} дійсний до {lastDay} включно.",
    expiryLink: "Переглянути сертифікат",
    verificationPage: "Переглянути сторінку, що його підтверджує, або поділитися нею",
    walletPage: "Зберегти його в застосунку-гаманці",
    replacementSubject: "{platformName}: ваш сертифікат («{learningContextName}») замінено",
    replacementHeading: "Ваш сертифікат замінено",
    replacementIntroduction:
      "Платформа {platformName} видала вам новий сертифікат. Він замінює попередній, який більше не дійсний: користуйтеся лише новим.",
    withdrawalSubject: "{platformName}: ваш сертифікат («{learningContextName}») відкликано",
    withdrawalHeading: "Ваш сертифікат відкликано",
    withdrawalIntroduction:
      "Платформа {platformName} відкликала виданий вам сертифікат. Він більше не дійсний.",
    withdrawalReason: "Причина: {reason}",
    withdrawalContact: "Якщо ви вважаєте, що це помилка, зверніться до платформи {platformName}.",
  },

  page: {
    languages: "Мова",

    verification: "Перевірка сертифіката",
    genuine: "Цей сертифікат справжній",
    genuineMeans: "Його видано платформою {platformName}, і він дійсний.",
    nameUnconfirmed: "Ім’я більше не можна підтвердити",
    nameUnconfirmedMeans:
      "Цей сертифікат видано платформою {platformName}, і він дійсний. Ім’я вилучено на прохання особи, тож на копії, яка веде сюди, може стояти будь-яке ім’я. Не покладайтеся лише на ім’я в документі.",
    invalidated: "Цей сертифікат визнано недійсним",
    invalidatedMeans:
      "Його було видано, а згодом відкликано платформою {platformName}. Він більше не дійсний.",
    wasReplaced: "Цей сертифікат замінено",
    wasReplacedMeans:
      "Платформа {platformName} видала замість нього новий, зазвичай щоб виправити дані. Покладайтеся на новий: цей більше не дійсний.",
    elsewhere: "Цей сертифікат видано в іншому місці",
    elsewhereMeans: "Його перенесено на платформу {platformName} {date}, і він дійсний.",
    elsewhereUnconfirmedMeans:
      "Цей сертифікат видано в іншому місці. Його перенесено на платформу {platformName} {date}, і він дійсний. Ім’я вилучено на прохання особи, тож на копії, яка веде сюди, може стояти будь-яке ім’я. Не покладайтеся лише на ім’я в документі.",
    elsewhereInvalidatedMeans:
      "Його видано в іншому місці та перенесено на платформу {platformName} {date}. Він більше не дійсний.",
    expired: "Строк дії цього сертифіката закінчився",
    expiredMeans: "Його видано платформою {platformName}, і він був дійсний до {lastDay} включно.",
    elsewhereExpiredMeans:
      "Його видано в іншому місці та перенесено на платформу {platformName} {date}. Він був дійсний до {lastDay} включно.",
    notFound: "Сертифікат не знайдено",
    notFoundMeans:
      "Платформі {platformName} невідомий сертифікат із цим ідентифікатором. Порівняйте його з документом, символ за символом. Якщо він такий самий, не довіряйте документу.",

    holder: "Кому видано",
    nameRemoved: "Ім’я вилучено на прохання особи",
    learningContext: "Курс або навчальний шлях",
    credentialType: "Сертифікат",
    issuer: "Ким видано",
    issuerNotNamed: "Інший заклад, назву якого не вказано",
    takenOver: "Куди перенесено",
    issued: "Дата видачі",
    status: "Стан",
    statusAvailable: "Дійсний",
    statusInvalidated: "Недійсний",
    statusExpired: "Строк дії закінчився",
    statusReplaced: "Замінено",
    validUntil: "Дійсний до",
    renewed: "Поновлено",
    seeRenewal: "Переглянути сертифікат, що його поновлює",
    withdrawn: "Відкликано",
    replaced: "Замінено на",
    seeReplacement: "Переглянути сертифікат, що його замінює",
    reason: "Причина",
    identifier: "Ідентифікатор",
    checked: "Перевірено",

    fileCheck: "Чи цей файл є оригіналом?",
    fileCheckMeans:
      "Якщо вам надіслали PDF, порівняйте його з виданим. Це робить ваш браузер: файл залишається на вашому пристрої.",
    chooseFile: "Вибрати PDF",
    dropFile: "або перетягніть його сюди",
    fileChecking: "Порівняння…",
    fileIdentical: "Це оригінал",
    fileIdenticalMeans: "Файл збігається з виданим.",
    fileIdenticalInvalidated: "Файл збігається з виданим, але сертифікат визнано недійсним.",
    fileIdenticalExpired: "Файл збігається з виданим, але строк дії сертифіката закінчився.",
    fileTakenOver: "Це перенесений файл",
    fileTakenOverMeans:
      "Файл збігається з тим, який перенесено на платформу {platformName} {date}. Його видано в іншому місці.",
    fileTakenOverInvalidated:
      "Файл збігається з тим, який перенесено на платформу {platformName} {date}, але сертифікат визнано недійсним.",
    fileTakenOverExpired:
      "Файл збігається з тим, який перенесено на платформу {platformName} {date}, але строк дії сертифіката закінчився.",
    fileDifferent: "Це не той файл, який було видано",
    fileDifferentMeans:
      "Його змінено, збережено заново, або він належить до іншого сертифіката. Довіряйте цій сторінці, а не файлу.",
    fileUnreadable: "Файл не вдається прочитати. Виберіть його ще раз.",
    byHand: "Порівняти самостійно",
    byHandChecksum: "Контрольна сума SHA-256 виданого файлу:",
    byHandCommands: "Ці команди показують контрольну суму вашого файлу:",

    anyFile: "Перевірити файл",
    anyFileMeans:
      "Виберіть PDF або значок у форматі PNG, SVG, JSON чи JWT. Його перевіряє ваш браузер: файл залишається на вашому пристрої, надсилається лише контрольна сума PDF.",
    anyFileUnscripted:
      "Цей браузер не може перевіряти тут файли: потрібні JavaScript і сторінка, отримана через HTTPS. Натомість уведіть ідентифікатор.",
    chooseAnyFile: "Вибрати файл",
    anyFileChecking: "Перевірка…",
    anyGenuine: "Цей файл справжній",
    anyGenuineMeans: "Його видано тут, він не змінений і чинний.",
    anyWithdrawn: "Цей документ більше не чинний",
    anyWithdrawnMeans:
      "Файл видано тут, і він не змінений, але документ відкликано або строк його дії минув.",
    anyAltered: "Цей файл змінено",
    anyAlteredMeans:
      "Він видає себе за виданий тут, але це не те, що було видано. Не покладайтеся на те, що він показує.",
    anyForeign: "Цей файл видав хтось інший",
    anyForeignMeans: "Його підписав інший видавець. Ця сторінка не може сказати, чи він справжній.",
    anyUnknown: "Цей файл тут невідомий",
    anyUnknownMeans:
      "Це не документ, виданий тут, або його надруковано чи збережено знову. Уведіть ідентифікатор, надрукований на ньому.",
    anyUnchecked: "Цей файл зараз неможливо перевірити",
    anyUncheckedMeans:
      "Сервіс недоступний, або цей браузер застарий. Спробуйте ще раз або введіть ідентифікатор.",

    forHolder: "Це ваш сертифікат?",
    addToLinkedIn: "Додати до профілю LinkedIn",
    wallet: "Гаманець",
    walletMeans:
      "Відскануйте код застосунком-гаманцем, наприклад Learner Credential Wallet, або відкрийте цю сторінку на телефоні, де він є.",
    openLearnerWallet: "Відкрити в Learner Credential Wallet",
    openOtherWallet: "Відкрити в іншому гаманці",
    walletPrivacy:
      "Кожен, хто має адресу цієї сторінки, може взяти документ. Передавайте її лише на власні пристрої.",
    link: "Посилання на цю сторінку",
    copyLink: "Копіювати",
    linkCopied: "Скопійовано",

    verifyAnother: "Перевірити інший сертифікат",
    trustAddress: "Довіряйте цій сторінці лише за адресою {address}",
    form: "Перевірити сертифікат",
    formMeans: "Введіть ідентифікатор або адресу, надруковані на документі.",
    formExample: "Наприклад, {address}",
    verify: "Перевірити",
    unreadableIdentifier:
      "Це не ідентифікатор. Він має 32 знаки, від 0 до 9 та від a до f, або є адресою, що починається з {address}",

    download: "Завантаження",
    linkLeadsNowhere: "Це посилання нікуди не веде. Перевірте, чи це повне посилання з вашого листа.",
    downloadInvalidated: "Цей сертифікат визнано недійсним: його більше не можна завантажити.",
    downloadUnavailable: "Цей сертифікат недоступний: зараз його не можна завантажити.",
    downloadNotFound: "Такого сертифіката немає, або він не ваш.",
    downloadRefused: "Спершу увійдіть на свою навчальну платформу, а тоді перейдіть за посиланням ще раз.",

    myCredentials: "Ваші сертифікати",
    myCredentialsMean:
      "Сертифікати, які було видано вам, останній — у кінці. Документи належать вам; сторінка кожного підтверджує його іншим.",
    noCredentials: "Вам ще не видано жодного сертифіката.",
    moreCredentials: "Інші сертифікати",
    downloadFile: "Завантажити PDF",
    seeForOthers: "Переглянути його сторінку для інших",
    statusGenerating: "Готується",

    onlyGet: "Тут дозволено лише GET і HEAD.",
    outOfReach: "Зараз відповісти неможливо. Спробуйте пізніше.",
    fault: "Тут щось пішло не так. Спробуйте пізніше.",
  },
};
