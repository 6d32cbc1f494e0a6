import type { DomesticReverseCharge } from '../src/engine/book/facts.ts'
import { nameInSentence } from '../src/engine/book/names.ts'
import { readFacts } from './read-facts.ts'

/** The table of docs/eu-vat.md: products of which a business that buys at home accounts for the tax. */
export function reverseChargeTable(): string {
  const rows = readFacts().jurisdictions.flatMap(({ name, domestic_reverse_charge }) =>
    (JSON.parse(domestic_reverse_charge ?? '[]') as DomesticReverseCharge[]).map((rule) => [
      nameInSentence(name),
      `\`${rule.product_type}\``,
      rule.over === null ? rule.what : `${rule.what}, ${rule.over}`,
      rule.effective_from ?? '',
      rule.effective_to ?? '',
      rule.law,
    ]),
  )
  const head = ['State', 'Product type', 'Of it', 'From', 'Until', 'Law']
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}
