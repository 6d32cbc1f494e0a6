import { element } from '../legacy/elements.js'
import { formatMoney, formatRate } from '../legacy/format.js'
import { table } from '../legacy/table.js'
import { withSpaces } from '../words.ts'
import { figureOf } from './read-return.ts'

/**
 * @import { Child } from '../legacy/elements.js'
 * @import { Figures } from './read-return.ts'
 * @typedef {(figure: string) => string} LinkToFigure
 * @typedef {ReadonlyMap<string, string>} Names of the jurisdictions by id
 */

/**
 * The figures of a return as the form has them. Each figure that adds up rows is a link to them.
 * @param {Figures} figures
 * @param {Names} names
 * @param {LinkToFigure} linkTo
 * @returns {Child[]}
 */
export function formAsPrinted(figures, names, linkTo) {
  const { type, boxes, supplies, jurisdiction_taxes, nil_return, unconverted } = figures
  if (boxes.length > 0) return [boxesOf(figures, linkTo)]
  if (supplies.length === 0 && unconverted.length > 0) return []
  if (supplies.length === 0)
    return [
      element(
        'p',
        { class: 'quiet' },
        nil_return ? 'Nothing is to be declared: this is a nil return.' : 'No sales yet.',
      ),
    ]
  return [
    ...(type === 'us_state'
      ? supplies.map((supply) => stateForm(supply, names, linkTo))
      : [suppliesOf(figures, names, linkTo)]),
    (jurisdiction_taxes ?? []).length === 0 ? null : taxesOf(jurisdiction_taxes ?? [], linkTo),
  ]
}

/**
 * @param {string} url of the rows
 * @param {number} amount
 * @param {string} currency
 * @param {LinkToFigure} linkTo
 * @param {string} [name] for screen readers
 */
export function figureLink(url, amount, currency, linkTo, name) {
  const text = formatMoney(amount, currency)
  const label = name === undefined ? false : `${text}, rows of ${name}`
  return element('a', { href: linkTo(figureOf(url) ?? ''), 'aria-label': label }, text)
}

/**
 * @param {Figures} figures
 * @param {LinkToFigure} linkTo
 */
function boxesOf({ boxes, currency }, linkTo) {
  const money = currency ?? 'EUR'
  return paper(
    boxes.map(({ box, name, amount, note, form_amount, transactions_url }) => ({
      box,
      name,
      note,
      figure:
        amount === null
          ? null
          : transactions_url === null
            ? formatMoney(amount, money)
            : figureLink(transactions_url, amount, money, linkTo, `box ${box}`),
      on_form: form_amount === null ? null : `${form_amount.toLocaleString()} on the form`,
    })),
  )
}

/**
 * The figures of one state, which its own form spreads over its boxes.
 * @param {Figures['supplies'][number]} supply
 * @param {Names} names
 * @param {LinkToFigure} linkTo
 */
function stateForm(supply, names, linkTo) {
  const { jurisdiction_id, currency, exempt_by_reason, uncollected_sales } = supply
  const name = names.get(jurisdiction_id) ?? jurisdiction_id
  const money = (/** @type {number} */ amount) => formatMoney(amount, currency)
  const reasons = Object.entries(exempt_by_reason ?? {}).flatMap(([reason, amount]) =>
    amount ? [{ reason, amount }] : [],
  )
  return paper([
    { name: `Gross sales, ${name}`, figure: money(supply.gross_sales) },
    { name: 'Exempt sales', figure: money(supply.exempt_sales) },
    ...reasons.map(({ reason, amount }) => ({
      name: `of these: ${withSpaces(reason)}`,
      figure: money(amount),
      part: true,
    })),
    ...(uncollected_sales === 0
      ? []
      : [{ name: 'Sales that a registered seller would tax', figure: money(uncollected_sales) }]),
    { name: 'Taxable sales', figure: money(supply.taxable_amount) },
    {
      name: 'Tax, state and local',
      figure: figureLink(supply.transactions_url, supply.tax_amount, currency, linkTo, `the tax of ${name}`),
    },
  ])
}

/**
 * The boxes of a form, one below the other, each with its number, its name and its amount.
 * @param {{
 *   box?: string, name: string, figure: Child, note?: string | null, on_form?: string | null, part?: boolean
 * }[]} lines `figure` null: sales alone do not determine it, and the note says why
 */
function paper(lines) {
  const numbered = lines.some(({ box }) => box !== undefined)
  return element(
    'table',
    { class: `paper ${numbered ? 'numbered' : ''}`, 'aria-label': 'The form' },
    element(
      'tbody',
      {},
      ...lines.map(({ box, name, figure, note = null, on_form = null, part = false }) =>
        element(
          'tr',
          { class: part ? 'part' : false },
          numbered ? element('td', { class: 'box' }, box ?? '') : null,
          element(
            'th',
            { scope: 'row' },
            name,
            note === null ? null : element('span', { class: 'quiet small' }, note),
          ),
          element(
            'td',
            { class: 'number' },
            figure ?? element('span', { class: 'quiet' }, 'not from sales'),
            on_form === null ? null : element('span', { class: 'quiet small' }, on_form),
          ),
        ),
      ),
    ),
  )
}

/**
 * Supplies by place, kind and rate.
 * @param {Figures} figures
 * @param {Names} names
 * @param {LinkToFigure} linkTo
 */
function suppliesOf({ supplies }, names, linkTo) {
  const by_kind = supplies.some(({ kind }) => kind !== null)
  return table({
    caption: 'Supplies',
    rows: supplies,
    columns: [
      { head: 'Place', cell: ({ jurisdiction_id }) => names.get(jurisdiction_id) ?? jurisdiction_id },
      ...(by_kind
        ? [
            {
              head: 'Kind',
              cell: (/** @type {{ kind: string | null }} */ { kind }) => withSpaces(kind ?? ''),
            },
          ]
        : []),
      { head: 'Rate', number: true, cell: ({ rate }) => (rate === null ? null : formatRate(rate)) },
      {
        head: 'Taxable amount',
        number: true,
        cell: (each) => formatMoney(each.taxable_amount, each.currency),
      },
      {
        head: 'Tax',
        number: true,
        phone: /** @type {const} */ ('figure'),
        cell: ({ transactions_url, tax_amount, currency, jurisdiction_id }) =>
          figureLink(
            transactions_url,
            tax_amount,
            currency,
            linkTo,
            `the tax of ${names.get(jurisdiction_id) ?? jurisdiction_id}`,
          ),
      },
    ],
  })
}

/**
 * The tax of each county, city and district, as the schedules of states ask for it.
 * @param {NonNullable<Figures['jurisdiction_taxes']>} taxes
 * @param {LinkToFigure} linkTo
 */
function taxesOf(taxes, linkTo) {
  return table({
    caption: 'Tax by jurisdiction',
    show_caption: true,
    rows: taxes,
    columns: [
      { head: 'Jurisdiction', cell: ({ name }) => name },
      { head: 'Level', cell: ({ level }) => withSpaces(level) },
      { head: 'Code', cell: ({ code }) => code },
      { head: 'Rate', number: true, cell: ({ rate }) => (rate === null ? null : formatRate(rate)) },
      {
        head: 'Taxable amount',
        number: true,
        cell: (each) => formatMoney(each.taxable_amount, each.currency),
      },
      {
        head: 'Tax',
        number: true,
        phone: /** @type {const} */ ('figure'),
        cell: ({ transactions_url, tax_amount, currency, name }) =>
          figureLink(transactions_url, tax_amount, currency, linkTo, name),
      },
    ],
  })
}
