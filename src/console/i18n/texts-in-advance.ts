import { type Chapters, loadChapter, requestedChapters } from "./load-chapter.js";
import { language } from "./preferences.js";

/** Starts to load a chapter in the selected language. The build calls this in each module that uses the chapter. */
export function requestChapter(chapter: keyof Chapters): void {
  void loadChapter(chapter, language.get());
}

/**
 * Loads a module and the texts that it uses. If a part of a page waited for its texts, React would hide the whole page
 * for a moment, and the page would lose the focus.
 */
export async function withTexts<M>(load: () => Promise<M>): Promise<M> {
  const module = await load();
  await requestedChapters();
  return module;
}
