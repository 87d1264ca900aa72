import type { ReplacementWording } from "../en/replacement.js";

export const words: ReplacementWording = {
  means:
    "Wurde dieser Nachweis durch einen anderen ersetzt, der eigens ausgestellt wurde, verknüpfen Sie beide. Dann sieht ein Widerruf, der nur eine Berichtigung war, nicht nach Betrug aus. Nichts wird ausgestellt, und niemand bekommt eine E-Mail. Das lässt sich nicht rückgängig machen.",
  search: "Welcher Nachweis ersetzt ihn?",
  searchHelp:
    "Wählen Sie unten einen derselben Person, oder fügen Sie Adresse oder UUID eines Nachweises ein.",
  found: "Gefundene Nachweise",
  none: "Es gibt keinen anderen Nachweis dieser Person",
  noneMeans:
    "Stellen Sie zuerst den richtigen aus, oder stellen Sie neu aus, statt zu verknüpfen. Kommen Sie dann zurück.",
  unfit: {
    itself: "Das ist der widerrufene Nachweis selbst.",
    otherLearner: "Er gehört jemand anderem.",
    notAvailable: "Er ist jetzt nicht gültig: Nur ein gültiger kann einen anderen ersetzen.",
    replacesAnother: "Er ersetzt schon einen anderen Nachweis.",
  },
  wouldHappen: "Was geschehen wird",
  oldPage: "Die Seite des widerrufenen Nachweises sagt, dass er ersetzt wurde, und führt zum neuen.",
  newPage: "Der neue Nachweis sagt, welchen er ersetzt. Sein Dokument bleibt, wie es ist.",
  link: "Als Ersatz verknüpfen",
};
