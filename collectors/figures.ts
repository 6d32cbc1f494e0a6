/** A percentage as millionths: `9.975%` is 99_750. Null if the text is not a percentage. */
export function percentage(text: string): number | null {
  const match = /^(\d{1,3}(?:\.\d{1,6})?)\s*(?:%|per cent)$/i.exec(text.trim())
  return match?.[1] === undefined ? null : Math.round(Number(match[1]) * 10_000)
}

const MONEY =
  /^(?:[$£€]|A\$|C\$|CAD|AUD|EUR|GBP|USD)?\s*(\d{1,3}(?:[,.\s]\d{3})*|\d+)\s*(?:EUR|€|CAD|AUD|USD|GBP)?$/

/**
 * An amount of money such as `$75,000`, `$75 000`, `£90,000` or `10 000 EUR`, in minor units of two digits.
 * Null if the text is not an amount.
 */
export function amountOfMoney(text: string): number | null {
  const match = MONEY.exec(text.trim())
  return match?.[1] === undefined ? null : Number(match[1].replaceAll(/[^\d]/g, '')) * 100
}
