/** A number for an id of ours: clients want numbers, and the same text always gives the same one. */
export function numberOfText(text: string): number {
  let hash = 0
  for (let index = 0; index < text.length; index += 1)
    hash = (hash * 31 + text.charCodeAt(index)) % 1_000_000_007
  return hash
}
