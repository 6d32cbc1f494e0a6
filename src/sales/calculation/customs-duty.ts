import DUTIES from '../../../data/customs-duties.json' with { type: 'json' }
import type { Answer } from '../../platform/http/answers.ts'
import { moneyInWords } from '../../engine/book/money-in-words.ts'
import { supplyKind } from '../../engine/book/product-types.ts'
import { inForce, type RateBook } from '../../engine/book/rate-book.ts'
import { isOneCustomsArea } from '../../engine/regimes/customs-area.ts'
import type { Sale } from '../../engine/sale/sale.ts'
import { goodsAreWorth } from '../../engine/supply/consignment.ts'
import { beginWalk } from '../../engine/supply/walk.ts'
import type { CustomsDuty } from './answers.ts'
import type { AskedLine } from './asked-calculation.ts'

type CustomsRecord = (typeof DUTIES)[number]

/**
 * The customs duty that goods of a sale from abroad bear beside its tax; null: none is on file. It is in no
 * sum of the answer. Distance sales to consumers alone bear the duty of the Union on each heading.
 */
export function customsDutyOf(
  book: RateBook,
  sale: Sale,
  lines: readonly AskedLine[],
): Answer<typeof CustomsDuty> | null {
  if (sale.delivery === 'pickup') return null
  const goods = lines.filter(({ supply, product_type }) => supply && supplyKind(product_type) === 'goods')
  if (goods.length === 0) return null
  const walk = beginWalk(sale, book, null)
  const { customer, origin, taxable_person } = walk
  const duty = DUTIES.find(({ region, ...dated }) => region === customer.law.id && inForce(dated, sale.day))
  if (duty === undefined || origin === null || isOneCustomsArea(customer, origin)) return null
  if (duty.limit !== null) {
    const { currency, limit } = duty
    if (taxable_person.goods || !goodsAreWorth(walk, { amount: limit, currency })) return null
  }
  return present(duty, goods)
}

function present(duty: CustomsRecord, goods: readonly AskedLine[]): Answer<typeof CustomsDuty> {
  const items = duty.amount === null ? null : subheadings(goods)
  const amount = duty.amount === null || items === null ? null : duty.amount * items
  const { name, currency, source, source_url, effective_from, effective_to } = duty
  return {
    name,
    currency,
    per_item: duty.amount,
    items,
    amount,
    effective_from,
    effective_to,
    source,
    source_url,
    message: duty.amount === null ? AT_ANY_VALUE : inWords(duty.amount, duty.currency, items),
  }
}

/** The tariff subheadings of goods, of six digits each; null: a line does not tell its own. */
function subheadings(goods: readonly AskedLine[]): number | null {
  const codes = goods.map(({ hs_code }) => hs_code?.replaceAll('.', '').slice(0, 6) ?? null)
  return codes.includes(null) ? null : new Set(codes).size
}

const AT_ANY_VALUE =
  'Goods from abroad are subject to customs duty at any value, because the duty-free limit of 800 ' +
  'USD is suspended. The duty depends on the goods and their origin, and is not computed'

function inWords(per_item: number, currency: string, items: number | null): string {
  const each = moneyInWords(per_item, currency)
  const sum =
    items === null
      ? 'Send hs_code with each line of goods to know how much'
      : `${items} of them: ${moneyInWords(items * per_item, currency)}`
  return (
    `In addition to this tax, customs charges ${each} for each tariff subheading of six digits in ` +
    `the consignment. ${sum}. No amount of this answer contains it. If you charge it to the ` +
    'customer, it is part of the price and subject to VAT (Directive 2006/112/EC, art. 78(a)): send ' +
    'it as part of the lines. Goods of preferential origin in a full declaration may be exempt'
  )
}
