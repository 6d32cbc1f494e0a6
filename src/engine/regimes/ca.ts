import { isWithin } from '../book/product-types.ts'
import type { TaxLayer, LayerTreatment } from '../book/layer.ts'
import type { TaxType } from '../book/facts.ts'
import { findRate, type RateBook } from '../book/rate-book.ts'
import {
  type Place,
  type Deal,
  type FacilitatedSale,
  type RegimeLaw,
  type Supply,
  type TaxedKind,
  type TaxedSupply,
  type ThresholdLaw,
  type ThresholdQuestion,
  type UntaxedSupply,
} from './regime.ts'
import type { Exemption, CustomerStatus } from '../sale/sale.ts'
import { nationalTax, taxedByShare } from './national-tax.ts'
import { hasGoodIdOf } from './taxable-person.ts'

const ISSUERS: ReadonlySet<string> = new Set(['CA'])

/** GST/HST of Canada and the sales taxes of its provinces: Excise Tax Act (ETA), part IX; provincial acts. */
export const ca: RegimeLaw = {
  ...nationalTax,
  id: 'CA',
  name: 'Canada',
  shown_prices: 'exclusive',
  marketplaceAccounts,
  small_business: 'ETA, s. 148, 166',
  vouchers: { basis: 'ETA, s. 181.2', from: null },
  supply: {
    within: toProvince,
    from,
    to: toProvince,
    at: ({ place, establishment, customer }) =>
      taxed(place, establishment, simplifiedSchemes('on_site', customer, place)),
    destination: (customer) => taxed(customer, null, []),
    // ETA, sch. VI part V s. 7: what is rendered to somebody in Canada is not zero-rated.
    performed_for: 'all',
  },
  price_parts: {
    // The acts of the provinces are not on file.
    funded_discount: { taxed: true, basis: 'ETA, s. 181(2), for the GST and HST' },
    // Of a customer who does not charge GST on it.
    trade_in: { taxed: false, basis: 'ETA, s. 153(4), for the GST and HST', for_consumers: true },
  },
  bundles: taxedByShare('ETA, s. 153(2), for the GST and HST'),
  taxes,
  // A registration for the GST/HST of Canada does not cover a provincial tax.
  registrationsAt: (_, jurisdiction_id) => [jurisdiction_id],
  thresholds,
  placesMayTax: (_, jurisdiction_id, { product_type }) =>
    isWithin(product_type, 'accommodation') && LODGING_LEVIES.has(jurisdiction_id),
  address: { regional: true, postal_code: /^[A-Z]\d[A-Z](\d[A-Z]\d)?$/ },
  // Input Tax Credit Information (GST/HST) Regulations, s. 3: no standard has a category for these taxes.
  invoices: { standard: () => null, numbers: 'by_tax' },
  provinces: {
    taxes: ['PST', 'QST', 'RST'],
    registrationFor,
    isEstablishedFor,
    remainsAfterExemption,
    nameOfTax: ({ tax_type }, place) => `the ${tax_type} of ${place}`,
  },
}

/**
 * A registered seller collects itself. Of the others, the platform collects on the lodging of every host, and
 * on digital products, services, and goods in Canada of sellers from abroad. Goods that are sent from abroad
 * are no qualifying supply (ETA, s. 211.1): they are taxed at the border.
 */
function marketplaceAccounts(sale: FacilitatedSale): string | null {
  const { kind, product_type, establishment, origin, holds, lawful } = sale
  if (!lawful || holds('CA')) return null
  if (isWithin(product_type, 'accommodation')) return 'ETA, s. 211.13'
  if (establishment?.law === ca || isWithin(product_type, 'prepared_food')) return null
  if (kind === 'goods') return origin !== null && origin.law !== ca ? null : 'ETA, s. 211.23'
  return 'ETA, s. 211.13, 211.23'
}

/**
 * Provinces whose places, or the province itself, levy a tax on stays alone: among them the municipal and
 * regional district tax (BC Bulletin PST 120), the tax on lodging (Act respecting the QST, s. 541.24), the
 * municipal accommodation tax (Municipal Act, 2001 of Ontario, s. 400.1), the Tourism Levy Act of Alberta.
 */
const LODGING_LEVIES: ReadonlySet<string> = new Set(
  ['BC', 'AB', 'MB', 'ON', 'QC', 'NB', 'NS', 'PE', 'NL'].map((province) => `CA-${province}`),
)

function toProvince(deal: Deal): Supply {
  if (isRegistrant(deal) && chargesConsumersOnly(deal)) return notToRegistrants(deal.customer)
  return taxed(deal.customer, deal.establishment, simplifiedSchemes(deal.kind, deal, deal.customer))
}

/** A customer that gives a good GST/HST number: ETA, s. 211.14. Its own word does not free it. */
function isRegistrant({ vat_id }: CustomerStatus): boolean {
  return hasGoodIdOf(ISSUERS, vat_id)
}

/** A seller from abroad whose only registrations there are simplified. */
function chargesConsumersOnly({ establishment, holds, customer }: Deal): boolean {
  const provincial = customer.taxes.some((layer) => !isFederal(layer) && holds(layer.jurisdiction_id))
  const simplified = establishment?.law !== ca && holds('ca_simplified') && !holds('CA')
  return simplified && !provincial
}

function notToRegistrants(customer: Place): Supply {
  return {
    kind: 'untaxed',
    reason: 'not_subject_to_tax',
    place: customer.jurisdiction_id,
    basis: 'ETA, s. 211.12, 211.14',
    detail: 'The simplified registration charges consumers only, and the customer is registered for GST/HST',
  }
}

/** Schemes for sellers from abroad, who charge consumers on digital products, services and lodging. */
function simplifiedSchemes(kind: TaxedKind, customer: CustomerStatus, { jurisdiction_id }: Place): string[] {
  if (isRegistrant(customer)) return []
  const provincial = jurisdiction_id === 'CA-QC' ? ['qc_specified'] : []
  return kind === 'goods' ? provincial : ['ca_simplified', ...provincial]
}

function taxed(place: Place, seller: Place | null, schemes: readonly string[]): TaxedSupply {
  return {
    kind: 'taxed',
    place: place.jurisdiction_id,
    // Each of them covers a part of the tax; registrationFor returns the one that a tax needs.
    registrations: ['CA', place.jurisdiction_id, ...schemes],
    established: seller?.law === ca,
    basis: 'ETA, s. 165, sch. IX; New Harmonized Value-added Tax System Regulations',
    detail: 'The supply is made in the province of the customer',
  }
}

function from(deal: Deal): UntaxedSupply {
  return {
    kind: 'untaxed',
    reason: 'export',
    place: deal.origin.jurisdiction_id,
    basis: deal.kind === 'goods' ? 'ETA, sch. VI part V s. 1, 12' : 'ETA, sch. VI part V s. 7, 10, 10.1',
    detail: 'A supply to a customer outside Canada is zero-rated as an export',
  }
}

/** The tax that a province levies in addition to the GST, by its tax system. */
const BESIDE_GST = new Map<string, TaxType>([
  ['GST_PST', 'PST'],
  ['GST_RST', 'RST'],
  ['GST_QST', 'QST'],
])

// Rules without a first day were checked from this day.
const CHECKED_FROM = '2018-06-21'

/** HST contains the federal GST, so it is the only tax of its provinces (ETA, s. 165(2)). */
function taxes(book: RateBook, jurisdiction_id: string): TaxLayer[] {
  const place = { jurisdiction_id, rules_from: jurisdiction_id, checked_from: CHECKED_FROM }
  const system = book.jurisdictions.get(jurisdiction_id)?.tax_system
  if (system === 'HST') return [{ tax_type: 'HST', ...place }]
  const layers: TaxLayer[] = [{ tax_type: 'GST', ...place, jurisdiction_id: 'CA' }]
  const provincial = BESIDE_GST.get(system ?? '')
  if (provincial) layers.push({ tax_type: provincial, ...place })
  return layers
}

function isFederal({ tax_type }: TaxLayer): boolean {
  return tax_type === 'GST' || tax_type === 'HST'
}

/** GST/HST needs one registration for all of Canada (ETA, s. 240); each provincial tax has its own. */
function registrationOf(layer: TaxLayer): string {
  return isFederal(layer) ? 'CA' : layer.jurisdiction_id
}

/** Registrations for one tax, with the scheme that covers it. */
function registrationFor(layer: TaxLayer, { registrations }: TaxedSupply): string[] {
  const own = [registrationOf(layer), isFederal(layer) ? 'ca_simplified' : 'qc_specified']
  return registrations.filter((id) => own.includes(id))
}

/** A seller anywhere in Canada charges GST/HST; a provincial tax is charged by sellers of the province. */
function isEstablishedFor(layer: TaxLayer, { established }: TaxedSupply, seller: Place | null): boolean {
  return established && (isFederal(layer) || seller?.jurisdiction_id === layer.jurisdiction_id)
}

/** The threshold for small suppliers: GST/HST by ETA, s. 148, a provincial tax by the act of the province. */
function thresholds(_: RateBook, { layer, seller }: ThresholdQuestion): ThresholdLaw {
  const id = registrationOf(layer)
  return {
    types: isFederal(layer) ? ['GST_REGISTRATION'] : ['QST', 'PST'],
    jurisdictions: [id],
    scopes: [...scopesIn(id, seller), 'all'],
    without: 'unknown',
    passed: false,
  }
}

/** Provinces have separate thresholds for their own sellers and for sellers from outside. */
function scopesIn(jurisdiction_id: string, seller: Place | null): readonly string[] {
  const inside = seller?.jurisdiction_id === jurisdiction_id
  switch (jurisdiction_id) {
    case 'CA-QC':
      return [inside ? 'resident_small_supplier' : 'non_resident_specified_system']
    case 'CA-BC':
      return [inside ? 'in_province_small_seller' : 'out_of_province_seller']
    default:
      return []
  }
}

/** A provincial exemption removes only the province's part of the HST: 5 % remain (ETA, s. 165(1), (2)). */
function remainsAfterExemption(
  { layer, rate_millionths }: LayerTreatment,
  { jurisdiction_id }: Exemption,
  book: RateBook,
  day: string,
): number | null {
  return layer.tax_type !== 'HST' || jurisdiction_id === 'CA'
    ? null
    : federalPartOfHst(book, rate_millionths, day)
}

/**
 * The federal part of a rate of HST, millionths: that of the GST. The rest is the province's (ETA, s. 165(1),
 * (2)). Null: the data has no GST of the day.
 */
export function federalPartOfHst(book: RateBook, rate_millionths: number, day: string): number | null {
  const gst = findRate(book, 'CA', 'GST', 'standard', day)
  return gst === undefined ? null : Math.min(gst.rate_millionths, rate_millionths)
}
