/** Default texts in previews. */
export const SAMPLE_NAME = "Ana Kovač";
export const SAMPLE_CONTEXT = "Reading the Night Sky";
