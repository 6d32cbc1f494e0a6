/** A text without the characters at its end. A pattern such as `0+$` takes quadratic time on `000…0x`. */
export function trimEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}
