import XMLBuilder from 'fast-xml-builder'
import { decimalOf, type DocumentFormat, registrationNumber, vatCountry, withoutPrefix } from './format.ts'
import { isDeemed, keyOfOrigin, ossSupplies, type OssSupply, percentOf } from './oss-supplies.ts'

/** The version of the document OSSEI1 whose schema the layout follows. */
const VERSION = '01.01.04'

const HOME = 'CZ'

/** The first period of the one-stop shop: earlier ones cannot be corrected. */
const FIRST_PERIOD = '2021-Q3'

/** A return of the Union scheme for the Czech portal: the document OSSEI1 of its EPO format. */
export const czOssXml = {
  format: 'cz_oss_xml',
  types: ['oss_union'],
  needs_lines: true,
  mergeBy: keyOfOrigin,
  media_type: 'application/xml',
  extension: 'xml',
  layout: {
    status: 'verified',
    source: 'Finanční správa České republiky, structure of the document OSSEI1, version 01.01.04',
    source_url: 'https://adisspr.mfcr.cz/pmd/dokumentace/popis-struktur-epo',
  },
  write(content, _details, missing) {
    const { figures, lines } = content
    const supplies = ossSupplies(content, missing)
    if (figures.seller.country !== HOME)
      missing.add('seller.country', 'must be CZ: the file is for the Czech portal')
    const number = withoutPrefix(
      registrationNumber(figures, 'oss_union') ?? figures.seller.vat_id ?? '',
      HOME,
    )
    if (!/^\d{8,10}$/.test(number))
      missing.add('seller.vat_id', 'must have 8 to 10 digits, or the number of the One Stop Shop must')
    for (const { jurisdiction_id, period } of figures.corrections)
      if (period < FIRST_PERIOD)
        missing.add(`corrections.${jurisdiction_id}.${period}`, 'is before the first period of the scheme')
    const rowOf = ({ state, kind, rate, rate_type, from, ...amounts }: OssSupply) => {
      const own = from === null ? number : registrationNumber(figures, from)
      return {
        '@country': vatCountry(from ?? HOME),
        ...(own !== null && { '@vat_number': withoutPrefix(own, from ?? HOME).slice(0, 12) }),
        '@state_consumption': vatCountry(state),
        '@vat_rate_type_code': rate_type === 'standard' ? 'Z' : 'S',
        '@vat_rate': percentOf(rate),
        '@taxable_amount': decimalOf(amounts.taxable_amount),
        '@vat_amount': decimalOf(amounts.tax_amount),
        '@supply_type_code': kind === 'goods' ? 'G' : 'S',
      }
    }
    const document = {
      '@verzePis': VERSION,
      VetaD: {
        '@k_uladis': 'OSS',
        '@dokument': 'EI1',
        '@electronic_interface': lines.some(isDeemed) ? '1' : '0',
        ...periodOf(figures.period),
        '@vat_number': number,
        '@company_name': figures.seller.name.slice(0, 255),
        '@trans': supplies.length + figures.corrections.length === 0 ? 'N' : 'A',
      },
      VetaP: { '@dic': number },
      VetaR: supplies.map(rowOf),
      VetaO: figures.corrections.map(({ jurisdiction_id, period, tax_amount }) => ({
        ...periodOf(period),
        '@state_consumption': vatCountry(jurisdiction_id),
        '@correction': decimalOf(tax_amount),
      })),
    }
    return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build({ Pisemnost: { OSSEI1: document } })}`
  },
} as const satisfies DocumentFormat

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  format: true,
  indentBy: '  ',
  suppressEmptyNode: true,
})

/** `2026-Q3` as the attributes of a quarter. */
function periodOf(quarter: string) {
  return { '@quarter': quarter.slice(6), '@year': quarter.slice(0, 4) }
}
