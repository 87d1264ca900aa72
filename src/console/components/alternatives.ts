import type { Chapters } from "../i18n/load-chapter.js";
import { isolated } from "./isolated.js";

/** Joins alternative requirements. Doesn't use commas, because a requirement may contain commas itself. */
export function choicesOf(choices: readonly string[], words: Chapters["requirements"]): string {
  return choices.length === 0 ? "" : choices.reduce((list, choice) => words.nextChoice({ list, choice }));
}

export function nameCourses(names: readonly string[], words: Chapters["requirements"]): string {
  return names.length === 0
    ? ""
    : names.map(isolated).reduce((list, course) => words.nextCourse({ list, course }));
}
