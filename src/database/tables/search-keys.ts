/** The text after the first blank. A text without a blank is left whole. */
const afterBlank = <Text extends string>(text: Text) => `substr(${text}, instr(${text}, ' ') + 1)` as const

const FIRST = 'lower("name")'
const SECOND = afterBlank(FIRST)
const THIRD = afterBlank(SECOND)
const FOURTH = afterBlank(THIRD)

/**
 * What customers are found by: the beginning of a text. A name is found by each of its first four words, an
 * e-mail address also by its domain. Each key has an index, and `where` says which rows it has.
 */
export const CUSTOMER_KEYS = {
  customers_by_lower_name: { key: FIRST, where: 'true' },
  customers_by_second_word: { key: SECOND, where: `"name" GLOB '* *'` },
  customers_by_third_word: { key: THIRD, where: `"name" GLOB '* * *'` },
  customers_by_fourth_word: { key: FOURTH, where: `"name" GLOB '* * * *'` },
  customers_by_lower_email: { key: 'lower("email")', where: 'true' },
  customers_by_email_domain: {
    key: `substr(lower("email"), instr("email", '@') + 1)`,
    where: '"email" IS NOT NULL',
  },
} as const

/** The digits at the end of a text: the number that people read from an invoice. */
const lastDigits = <Text extends string>(text: Text) =>
  `substr(${text}, length(rtrim(${text}, '0123456789')) + 1)` as const
const ENDS_IN_DIGITS = `GLOB '*[^0-9]*[0-9]'`
const INVOICE = `"facts" ->> '$.invoice_number'`

/** What sales are found by. The last two are for numbers. */
export const SALE_KEYS = {
  transactions_by_lower_external_id: { key: 'lower("external_id")', where: 'external_id IS NOT NULL' },
  transactions_by_lower_invoice_number: { key: `lower(${INVOICE})`, where: 'true' },
  transactions_by_last_digits: {
    key: lastDigits('"external_id"'),
    where: `"external_id" ${ENDS_IN_DIGITS}`,
  },
  transactions_by_invoice_digits: { key: lastDigits(INVOICE), where: `${INVOICE} ${ENDS_IN_DIGITS}` },
} as const
