/** What to do about a PDF with an unusual structure. */
export const PRINT_TO_NEW_PDF = "Print it to a new PDF, and upload the new file.";

export function saveAgainAs(format: "JPEG" | "PDF" | "PNG"): string {
  return `Save it again as ${format}, and upload the new file.`;
}
