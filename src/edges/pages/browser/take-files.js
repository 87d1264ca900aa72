/** Calls `inspect` with each file that is chosen in the section's input or dropped anywhere on the page. */
export function takeFiles(section, inspect) {
  const input = section.querySelector("input[type=file]");
  const picker = section.querySelector(".drop");

  input.addEventListener("change", () => {
    if (input.files.length > 0) inspect(input.files[0]);
    input.value = "";
  });
  // Listens on the whole window: by default, a browser navigates to a file that is dropped on a page.
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
