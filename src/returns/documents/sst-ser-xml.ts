import XMLBuilder from 'fast-xml-builder'
import { isWithin } from '../../engine/book/product-types.ts'
import { SST_FOOD_RATES, SST_MEMBER_STATES } from '../../engine/regimes/us-local/sst-member-states.ts'
import { readSaleContext } from '../../sales/transactions/sale/sale-context.ts'
import { taxesOfEntry } from '../rows/jurisdiction-tax.ts'
import type { LineEntry } from '../rows/line-entry.ts'
import {
  decimalOf,
  type DocumentFormat,
  type Missing,
  registrationNumber,
  requireWhole,
  type ReturnContent,
} from './format.ts'
import type { DocumentDetails } from './schemas.ts'

/** The schema set of the Governing Board that the layout follows. */
const VERSION = 'SST2015V01'

/**
 * The Simplified Electronic Return of the Streamlined Sales Tax states, one for a state and period, as a
 * transmission without a payment (SSUTA 318 C). Interest, discounts and prepayments are left out.
 */
export const sstSerXml = {
  format: 'sst_ser_xml',
  types: ['us_state'],
  is_return: true,
  needs_lines: true,
  mergeBy: null,
  media_type: 'application/xml',
  extension: 'xml',
  layout: {
    status: 'verified',
    source: 'Streamlined Sales Tax Governing Board, schema set SST2015V01, published by FTA E-Standards',
    source_url: 'http://www.statemef.com/projects/sst/SST2015V01.zip',
  },
  write(content, details, all) {
    const { figures } = content
    const missing = eachOnce(all)
    requireWhole(figures, missing)
    const state = figures.jurisdiction_id?.slice(3) ?? ''
    const fips = SST_MEMBER_STATES.get(state)
    if (fips === undefined)
      missing.add('jurisdiction_id', 'must be a member state of the Streamlined Sales Tax Agreement')
    const dues = duesOf(content, details, missing)
    const filer = filerOf(content, details, missing)
    const id = `${filer.etin}${details.transmission ?? ''}`
    return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build({
      SSTSimplifiedReturnTransmission: {
        '@transmissionVersion': VERSION,
        TransmissionHeader: {
          TransmissionId: id,
          Transmitter: { ETIN: filer.etin },
          ProcessType: 'P',
          DocumentCount: '1',
        },
        SimplifiedReturnDocument: {
          DocumentId: id,
          DocumentType: 'SEROnly',
          SSTFilingHeader: {
            TaxPeriodStartDate: figures.from_date,
            TaxPeriodEndDate: figures.to_date,
            FilingType: 'SEROnly',
            ...filer.seller,
            TIN: { '@TypeTIN': details.tin_type ?? 'FEIN', FedTIN: details.tin ?? '' },
            FIPSCode: fips ?? '',
          },
          SimplifiedElectronicReturn: returnOf(content, dues),
        },
      },
    })}`
  },
} as const satisfies DocumentFormat

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  format: true,
  indentBy: '  ',
  suppressEmptyNode: true,
})

/** Many lines lack the same thing, which is named once. */
function eachOnce({ errors, add }: Missing): Missing {
  return {
    errors,
    add(path, message) {
      if (!errors.some((each) => each.path === path)) add(path, message)
    },
  }
}

/** Who files: by the number of the central registration, or else by that of the state. */
function filerOf({ figures }: ReturnContent, details: DocumentDetails, missing: Missing) {
  const { sst_id, tin, transmission } = details
  const number = registrationNumber(figures, figures.jurisdiction_id ?? '')
  if (tin === undefined) missing.add('tin', 'is required: the nine digits of the federal number (EIN)')
  if (transmission === undefined)
    missing.add('transmission', 'is required: year, day of the year and a number, such as 26327000001')
  if (sst_id === undefined && number === null)
    missing.add('sst_id', 'is required, or the registration_number of the registration in the state')
  const seller = sst_id === undefined ? { StateID: (number ?? '').slice(0, 20) } : { SSTPID: sst_id }
  return { etin: sst_id ?? tin ?? '', seller }
}

/** Taxes of the return in cents, by where the goods left. Places by their code. */
type Due = { in_state: number; out_of_state: number }
type Dues = { state: Due; food: number; places: Map<string, Due>; total: number }

function duesOf({ figures, lines }: ReturnContent, details: DocumentDetails, missing: Missing): Dues {
  const state = figures.jurisdiction_id ?? ''
  const listed = new Map(figures.jurisdiction_taxes?.map((tax) => [tax.jurisdiction_id, tax]))
  if (figures.jurisdiction_taxes === null)
    missing.add('jurisdiction_taxes', 'are listed for at most 100,000 sales')
  const dues: Dues = { state: none(), food: 0, places: new Map(), total: 0 }
  for (const line of lines) {
    if (line.currency !== figures.currency)
      missing.add(
        `transactions.${line.transaction_id}`,
        `is in ${line.currency}: its taxes are not converted`,
      )
    const origin = originOf(line, state, details, missing)
    // A line without tax has no jurisdictions.
    for (const { jurisdiction_id, tax_type, tax_amount } of taxesOfEntry(line)) {
      if (tax_amount === 0) continue
      dues.total += tax_amount
      if (tax_type === '')
        missing.add(`transactions.${line.transaction_id}`, 'has a tax that is not split by jurisdiction')
      else if (jurisdiction_id !== state) {
        const code = listed.get(jurisdiction_id)?.code ?? ''
        if (!/^[A-Za-z0-9]{3,5}$/.test(code))
          missing.add(`jurisdiction_taxes.${jurisdiction_id}`, 'has no code in the data: use the portal')
        const place = dues.places.get(code) ?? none()
        place[origin] += tax_amount
        dues.places.set(code, place)
      } else if (isFood(state, line)) dues.food += tax_amount
      else dues.state[origin] += tax_amount
    }
  }
  const declared = figures.supplies.reduce((sum, { tax_amount }) => sum + tax_amount, 0)
  if (declared !== dues.total && missing.errors.length === 0)
    missing.add('supplies', `declare ${declared}, and their lines have ${dues.total}`)
  return dues
}

function none(): Due {
  return { in_state: 0, out_of_state: 0 }
}

function isFood(state: string, { product_type }: LineEntry): boolean {
  return isWithin(product_type, 'groceries') && SST_FOOD_RATES.has(state.slice(3))
}

/** Where the goods left: by the sale, or else as the request says for all other sales. */
function originOf(
  { facts }: LineEntry,
  state: string,
  { sold_from }: DocumentDetails,
  missing: Missing,
): keyof Due {
  const { ship_from } = readSaleContext(facts)
  if (ship_from !== null && (ship_from.country !== state.slice(0, 2) || ship_from.region !== null)) {
    const region = ship_from.region ?? ''
    const from = region.includes('-') ? region : `${ship_from.country}-${region}`
    return from === state ? 'in_state' : 'out_of_state'
  }
  if (sold_from === undefined)
    missing.add('sold_from', 'is required: where sales without a ship_from leave, in_state or out_of_state')
  return sold_from ?? 'out_of_state'
}

function returnOf({ figures, amends }: ReturnContent, { state, food, places, total }: Dues) {
  const sum = (measure: (supply: (typeof figures.supplies)[number]) => number) =>
    figures.supplies.reduce((all, supply) => all + measure(supply), 0)
  const taxable = sum(({ taxable_amount }) => taxable_amount)
  const gross = sum(({ gross_sales }) => gross_sales)
  const reasons = figures.supplies.flatMap(({ exempt_by_reason }) => exempt_by_reason ?? [])
  const exempt = (of: (each: (typeof reasons)[number]) => number) =>
    reasons.reduce((all, each) => all + of(each), 0)
  const given = [
    ['GovernmentExemptOrg', exempt(({ government, nonprofit }) => government + nonprofit)],
    ['Resale', exempt(({ resale }) => resale)],
  ] as const
  const other = gross - taxable - given.reduce((all, [, amount]) => all + amount, 0)
  const breakout = [...given, ['Other', other] as const].filter(([, amount]) => amount !== 0)
  return {
    ReturnType: amends ? 'A' : 'O',
    TotalSales: decimalOf(gross),
    ExemptionsDeductions: decimalOf(gross - taxable),
    ExemptionDeductionBreakout: breakout.map(([ExemptionType, amount]) => ({
      ExemptionType,
      ExemptionAmount: decimalOf(amount),
    })),
    TaxableSales: decimalOf(taxable),
    StateTaxDueSalesInState: decimalOf(state.in_state),
    StateTaxDueSalesOrigOutOfState: decimalOf(state.out_of_state),
    StateTaxDueOwnPurchWithdraw: decimalOf(0),
    StateTaxDueFoodDrug: decimalOf(food),
    JurisdictionDetail: [...places]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([code, due]) => ({
        JurisdictionCode: code,
        JurisTaxDueSalesInState: decimalOf(due.in_state),
        JurisTaxDueSalesOrigOutOfState: decimalOf(due.out_of_state),
      })),
    TotalTaxDue: decimalOf(total),
    AmountDueOrRefund: decimalOf(total),
  }
}
