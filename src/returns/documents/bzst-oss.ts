import Papa from 'papaparse'
import { decimalOf, type DocumentFormat, registrationNumber, vatCountry, withoutPrefix } from './format.ts'
import { isDeemed, keyOfOrigin, ossSupplies, percentOf } from './oss-supplies.ts'

/** The portal takes at most so many records. */
const RECORDS_MAX = 6_000
/** UTF-8, no zero amounts, Greece as EL. */
const VERSION = '#v2.0'

/**
 * The import file of the Bundeszentralamt für Steuern for the Union scheme. Record types: 1 a member state,
 * 2 services from Germany, 3 goods from Germany, 5 goods from another member state. Type 6, corrections, is
 * not public: they are listed beside the file, to be typed into the portal.
 */
export const bzstOssCsv = {
  format: 'bzst_oss_csv',
  types: ['oss_union'],
  needs_lines: true,
  mergeBy: keyOfOrigin,
  media_type: 'text/csv',
  extension: 'csv',
  layout: {
    status: 'unverified',
    source:
      'BZSt, help to the import for the OSS EU scheme; record types as oss_bop_bzst_csv (GitHub) writes them',
    source_url: 'https://www.elster.de/bportal/helpGlobal?themaGlobal=osseust_import',
  },
  write(content, _details, missing) {
    const { figures } = content
    const supplies = ossSupplies(content, missing)
    if (figures.seller.country !== 'DE')
      missing.add('seller.country', 'must be DE: the file is for the German portal')
    if (content.lines.some(isDeemed))
      missing.add('marketplace', 'the layout of sales by a marketplace is not sure: enter them in the portal')
    const states = [...new Set(supplies.map(({ state }) => state))]
    const amounts = (each: (typeof supplies)[number]) => [
      each.rate_type.toUpperCase(),
      percentOf(each.rate, ','),
      decimalOf(each.taxable_amount, ','),
      decimalOf(each.tax_amount, ','),
    ]
    const of = (kind: 'goods' | 'services') =>
      supplies.filter((each) => each.kind === kind && each.from === null)
    const elsewhere = supplies.flatMap((each) => (each.from === null ? [] : [{ ...each, from: each.from }]))
    const records = [
      ...states.map((state) => ['1', vatCountry(state)]),
      ...of('services').map((each) => ['2', vatCountry(each.state), ...amounts(each)]),
      ...of('goods').map((each) => ['3', vatCountry(each.state), ...amounts(each)]),
      ...elsewhere.map((each) => {
        if (each.kind === 'services')
          missing.add(
            `supplies.${each.state}.${each.from}`,
            'the layout of services from a fixed establishment is not public: use the portal or oss_xml',
          )
        const number = registrationNumber(figures, each.from)
        if (number === null)
          missing.add(
            `registrations.${each.from}`,
            'needs a registration_number: goods were dispatched from there',
          )
        const vat_id = `${vatCountry(each.from)}${withoutPrefix(number ?? '', each.from)}`
        return ['5', vatCountry(each.state), '1', vatCountry(each.from), vat_id, '', ...amounts(each)]
      }),
    ]
    if (records.length > RECORDS_MAX)
      missing.add('supplies', `has ${records.length} records, and the portal takes ${RECORDS_MAX}`)
    return `${VERSION}\r\n${Papa.unparse(records, { newline: '\r\n' })}\r\n`
  },
  beside({ figures }) {
    return figures.corrections.map(
      ({ jurisdiction_id, period, tax_amount }) =>
        `${vatCountry(jurisdiction_id)} ${period} ${decimalOf(tax_amount)} EUR`,
    )
  },
} as const satisfies DocumentFormat
