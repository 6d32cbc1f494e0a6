/**
 * A text of a shop as the service takes it: at most `max` characters, and neither half characters nor NUL.
 * With these it refuses the whole sale or refund.
 */
export function cutText(text: string, max: number): string {
  const cut = text.slice(0, max).replaceAll('\0', '')
  return (/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut).toWellFormed()
}
