/** Puts the text into the unseen line that screen readers read aloud. */
export function announce(text: string): void {
  document.getElementById('said')?.replaceChildren(text)
}
