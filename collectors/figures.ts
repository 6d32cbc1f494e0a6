/**
 * A percentage as millionths: `9.975%` is 99_750; null when the text is none. Any kind of blank may stand
 * before the sign.
 */
export function percentage(text: string): number | null {
  const match = /^(\d{1,3}(?:\.\d{1,6})?)\s*(?:%|per cent)$/i.exec(text.trim())
  return match?.[1] === undefined ? null : Math.round(Number(match[1]) * 10_000)
}

const MONEY =
  /^(?:[$£€]|A\$|C\$|CAD|AUD|EUR|GBP|USD)?\s*(\d{1,3}(?:[,.\s]\d{3})*|\d+)\s*(?:EUR|€|CAD|AUD|USD|GBP)?$/

/**
 * An amount of money as minor units of two digits: `$75,000`, `$75 000`, `£90,000`, `10 000 EUR`; null when
 * the text is none.
 */
export function amountOfMoney(text: string): number | null {
  const match = MONEY.exec(text.trim())
  return match?.[1] === undefined ? null : Number(match[1].replaceAll(/[^\d]/g, '')) * 100
}
