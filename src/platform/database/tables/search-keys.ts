/** The text after the first blank. A text without a blank is left whole. */
const afterBlank = <Text extends string>(text: Text) => `substr(${text}, instr(${text}, ' ') + 1)` as const

/** A name as searches compare it. `lower` changes only ASCII, so other names are stored in `folded_name`. */
export const NAME = 'coalesce("folded_name", lower("name"))'
const SECOND = afterBlank(NAME)
const THIRD = afterBlank(SECOND)
const FOURTH = afterBlank(THIRD)

/** Names of more than four words, which a search reads one by one. */
export const LONG_NAME = `"name" GLOB '* * * * *'`

/** A VAT id as a person may write it, without what stands between its digits. */
const compact = <Text extends string>(text: Text) =>
  `upper(replace(replace(replace(replace(${text}, ' ', ''), '.', ''), '-', ''), '/', ''))` as const
/** A VAT id from its first digit on: without its prefix, which people often leave out. */
const vatNumber = <Text extends string>(text: Text) =>
  `ltrim(${compact(text)}, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')` as const
const lettersOf = <Text extends string>(text: Text) =>
  `substr(${compact(text)}, 1, length(${compact(text)}) - length(${vatNumber(text)}))` as const
/** ?4 are the letters that were asked for: `DE`, `U` for `ATU`, or none. Either may lack some. */
const sameLetters = <Text extends string>(text: Text) =>
  `(instr(${lettersOf(text)}, ?4) > 0 OR instr(?4, ${lettersOf(text)}) > 0)` as const

/** What a search compares with a key. */
export type KeyKind = 'name' | 'text' | 'digits' | 'vat_id'

/**
 * What customers are found by: the beginning of a text. A name is found by each of its first four words
 * (search-store.ts reads later ones), an e-mail address also by its domain. Each key has an index, and
 * `where` says which rows it has. `also` is a condition that no index answers.
 */
export const CUSTOMER_KEYS = {
  customers_by_lower_name: { of: 'name', key: NAME, where: 'true', also: 'true' },
  customers_by_second_word: { of: 'name', key: SECOND, where: `"name" GLOB '* *'`, also: 'true' },
  customers_by_third_word: { of: 'name', key: THIRD, where: `"name" GLOB '* * *'`, also: 'true' },
  customers_by_fourth_word: { of: 'name', key: FOURTH, where: `"name" GLOB '* * * *'`, also: 'true' },
  customers_by_lower_email: { of: 'text', key: 'lower("email")', where: 'true', also: 'true' },
  customers_by_email_domain: {
    of: 'text',
    key: `substr(lower("email"), instr("email", '@') + 1)`,
    where: '"email" IS NOT NULL',
    also: 'true',
  },
  customers_by_vat_number: {
    of: 'vat_id',
    key: vatNumber('"vat_id"'),
    where: '"vat_id" IS NOT NULL',
    also: sameLetters('"vat_id"'),
  },
} as const

/** The digits at the end of a text: the number that people read from an invoice. */
const lastDigits = <Text extends string>(text: Text) =>
  `substr(${text}, length(rtrim(${text}, '0123456789')) + 1)` as const
const ENDS_IN_DIGITS = `GLOB '*[^0-9]*[0-9]'`
const INVOICE = `"facts" ->> '$.invoice_number'`

/** A sale enters the indexes below with the tick after it was recorded: see `waitsFor`. */
const inSearch = <Where extends string>(where: Where) => `"searchable" = 1 AND ${where}` as const

/** What sales are found by, beside what is known of each sale at once: see search-store.ts. */
export const SALE_KEYS = {
  transactions_by_lower_external_id: {
    of: 'text',
    key: 'lower("external_id")',
    where: inSearch('"external_id" IS NOT NULL'),
    also: 'true',
  },
  transactions_by_lower_invoice_number: {
    of: 'text',
    key: `lower(${INVOICE})`,
    where: inSearch(`lower(${INVOICE}) IS NOT NULL`),
    also: 'true',
  },
  transactions_by_last_digits: {
    of: 'digits',
    key: lastDigits('"external_id"'),
    where: inSearch(`"external_id" ${ENDS_IN_DIGITS}`),
    also: 'true',
  },
  transactions_by_invoice_digits: {
    of: 'digits',
    key: lastDigits(INVOICE),
    where: inSearch(`${INVOICE} ${ENDS_IN_DIGITS}`),
    also: 'true',
  },
  transactions_by_vat_number: {
    of: 'vat_id',
    key: vatNumber('"customer_vat_id"'),
    where: inSearch('"customer_vat_id" IS NOT NULL'),
    also: sameLetters('"customer_vat_id"'),
  },
} as const

/** The condition that a sale waits for the tick that adds it to an index: `where` is that of the index. */
export function waitsFor(where: string): string {
  return where.replace('"searchable" = 1', '"searchable" = 0')
}
