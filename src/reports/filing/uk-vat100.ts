import { isScheme } from '../../tax/schemes.ts'
import {
  type Box,
  type FilingPeriod,
  type FilingRow,
  sumAfterRefunds,
  type Return,
  transactionsUrl,
} from './figures.ts'
import { ANY_PERIOD, type FilingSeller, type Form } from './form.ts'

const UNITED_KINGDOM = new Set(['GB', 'XI', 'IM'])
/**
 * A British seller does not charge tax on these supplies abroad. Box 6 counts them nevertheless (VAT Notice
 * 700/12).
 */
const UNTAXED_ABROAD = new Set(['reverse_charge', 'not_subject_to_tax', 'export', 'not_collecting'])

/**
 * The VAT return of the United Kingdom, boxes 1 to 9 (VAT Notice 700/12). In pence; the form takes whole
 * pounds in boxes 6 to 9.
 */
export const ukVat100 = {
  type: 'uk_vat100',
  currency: 'GBP',
  periods: ANY_PERIOD,
  concerns: (row) => !isScheme(row.scheme) && (isHere(row) || row.tax_amount === 0),
  fill,
} as const satisfies Form

function isHere({ place_of_supply }: FilingRow): boolean {
  return UNITED_KINGDOM.has(place_of_supply.slice(0, 2))
}

function fill(rows: readonly FilingRow[], period: FilingPeriod, seller: FilingSeller): Return {
  const here = rows.filter(isHere)
  const abroad = rows.filter(
    (row) => seller.country === 'GB' && !isHere(row) && UNTAXED_ABROAD.has(row.reason),
  )
  const dispatches = here.filter(
    (row) => row.place_of_supply === 'XI' && row.reason === 'intra_community_supply',
  )
  const url = transactionsUrl(period, { place_of_supply: 'GB' })
  const box = (
    number: string,
    name: string,
    amount: number | null,
    note: string | null,
    transactions_url: string | null,
  ): Box => ({
    box: number,
    name,
    amount,
    note,
    transactions_url,
  })
  const purchases = 'Needs your purchases, which this service does not know'
  return {
    boxes: [
      box('1', 'VAT due on sales and other outputs', sumAfterRefunds(here, 'tax_amount'), null, url),
      box(
        '2',
        'VAT due on acquisitions of goods made in Northern Ireland from EU Member States',
        null,
        purchases,
        null,
      ),
      box('3', 'Total VAT due (boxes 1 and 2)', null, 'Needs box 2', null),
      box('4', 'VAT reclaimed on purchases and other inputs', null, purchases, null),
      box('5', 'Net VAT to pay or reclaim (boxes 3 and 4)', null, 'Needs boxes 3 and 4', null),
      box(
        '6',
        'Total value of sales and all other outputs excluding VAT',
        sumAfterRefunds([...here, ...abroad], 'net_amount'),
        abroad.length > 0 ? 'Includes untaxed supplies abroad' : null,
        transactionsUrl(period, { currency: 'GBP' }),
      ),
      box('7', 'Total value of purchases and all other inputs excluding VAT', null, purchases, null),
      box(
        '8',
        'Total value of dispatches of goods from Northern Ireland to EU Member States, excluding VAT',
        sumAfterRefunds(dispatches, 'net_amount'),
        null,
        transactionsUrl(period, { place_of_supply: 'XI', kind: 'goods' }),
      ),
      box(
        '9',
        'Total value of acquisitions of goods made in Northern Ireland from EU Member States, excluding VAT',
        null,
        purchases,
        null,
      ),
    ],
    supplies: [],
    corrections: [],
    notes: ['Amounts in pence; boxes 6 to 9 of the form take whole pounds'],
  }
}
