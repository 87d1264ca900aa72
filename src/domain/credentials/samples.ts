/** Texts that previews print if none are given. */
export const SAMPLE_NAME = "Ana Kovač";
export const SAMPLE_CONTEXT = "Reading the Night Sky";
