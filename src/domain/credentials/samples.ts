/** What previews print and say where nothing else is given. */
export const SAMPLE_NAME = "Ana Kovač";
export const SAMPLE_CONTEXT = "Reading the Night Sky";
