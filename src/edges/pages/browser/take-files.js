/** Calls `inspect` with each file that is chosen in the section's input or dropped anywhere on the page. */
export function takeFiles(section, inspect) {
  const input = section.querySelector("input[type=file]");
  const picker = section.querySelector(".drop");

  input.addEventListener("change", () => {
    if (input.files.length > 0) inspect(input.files[0]);
    input.value = "";
  });
  // Handles drops on the whole window, because a browser opens any file that is dropped elsewhere.
  addEventListener("dragover", (event) => {
    event.preventDefault();
    picker.classList.add("over");
  });
  addEventListener("dragleave", () => picker.classList.remove("over"));
  addEventListener("drop", (event) => {
    event.preventDefault();
    picker.classList.remove("over");
    if (event.dataTransfer.files.length > 0) inspect(event.dataTransfer.files[0]);
  });
}
