import type { Jurisdiction, PostalRule } from './book/facts.ts'
import { compactPostalCode } from './book/postal-code.ts'
import type { RateBook } from './book/rate-book.ts'
import { plainName, REGION_ALIASES } from './book/region-names.ts'
import { Refusal } from './refusal.ts'
import type { Address } from './sale.ts'

export type Regime = 'EU' | 'GB' | 'US' | 'CA' | 'AU' | 'uncovered'

/** An address as tax law sees it. */
export type Place = {
  /** The closest jurisdiction, or the bare country or territory code when no data covers it. */
  jurisdiction_id: string
  regime: Regime
  /**
   * The EU member state whose VAT area it lies in; `XI` for goods in Northern Ireland; null outside the EU
   * VAT area.
   */
  vat_state: string | null
  /** The country or territory holds rates of its own that apply within it. */
  covered: boolean
}

const REGIONAL = new Set(['US', 'CA'])
const POSTAL_CODE_FORMAT = new Map([
  ['US', /^\d{5}(\d{4})?$/],
  ['CA', /^[A-Z]\d[A-Z](\d[A-Z]\d)?$/],
])

/**
 * The jurisdiction of an address. The US and Canada need a state or province, given or told by the postal
 * code; with `country_suffices` (a seller) the country alone will do. Throws region_required, invalid_region,
 * invalid_postal_code, region_postal_code_mismatch.
 */
export function findPlace(book: RateBook, address: Address, path: string, country_suffices = false): Place {
  const { country } = address
  if (REGIONAL.has(country)) return placeOfRegion(book, address, path, country_suffices)
  const whole = book.jurisdictions.get(country)
  const commonwealth = whole === undefined ? book.jurisdictions.get(`US-${country}`) : undefined
  if (commonwealth !== undefined) return placeOf(book, commonwealth)
  const id = territoryOf(book, address) ?? country
  const jurisdiction = id === country ? whole : book.jurisdictions.get(id)
  return jurisdiction === undefined ? uncovered(id) : placeOf(book, jurisdiction)
}

/** The place of a jurisdiction that is named by its id, or null when it does not exist. */
export function placeOfJurisdiction(book: RateBook, jurisdiction_id: string): Place | null {
  const jurisdiction = book.jurisdictions.get(jurisdiction_id)
  return jurisdiction === undefined ? null : placeOf(book, jurisdiction)
}

/** A territory with rules of its own within its country: by its region, else by postal code. */
function territoryOf(book: RateBook, address: Address): string | null {
  const named = address.region ? namedRegion(book, address.country, address.region) : null
  if (named !== null) return named
  return address.postal_code ? (findPostalRule(book, address)?.jurisdiction_id ?? null) : null
}

function placeOfRegion(book: RateBook, address: Address, path: string, country_suffices: boolean): Place {
  const { country } = address
  const named = address.region ? namedRegion(book, country, address.region) : null
  if (address.region && named === null) {
    throw new Refusal(
      'invalid_region',
      `${path}.region`,
      `${quote(address.region)} is no state or province of ${country}`,
    )
  }
  const byCode = address.postal_code ? regionOfPostalCode(book, address, path) : undefined
  if (named !== null && byCode && byCode !== named) {
    const detail = `postal code ${quote(address.postal_code ?? '')} lies in ${byCode}, not in ${named}`
    throw new Refusal('region_postal_code_mismatch', `${path}.postal_code`, detail)
  }
  const id = named ?? byCode ?? null
  if (id !== null) {
    const jurisdiction = book.jurisdictions.get(id)
    return jurisdiction === undefined ? uncovered(id) : placeOf(book, jurisdiction)
  }
  const whole = book.jurisdictions.get(country)
  if (country_suffices && whole !== undefined) return placeOf(book, whole)
  const hint = address.postal_code
    ? `postal code ${quote(address.postal_code)} tells no state or province`
    : 'the country alone does not decide the tax'
  throw new Refusal('region_required', `${path}.region`, `region is required for ${country}: ${hint}`)
}

/**
 * The region of a US or Canadian postal code: an id, null when the code names none, undefined when it is not
 * assigned.
 */
function regionOfPostalCode(book: RateBook, address: Address, path: string): string | null | undefined {
  const code = compactPostalCode(address.country, address.postal_code ?? '')
  if (!POSTAL_CODE_FORMAT.get(address.country)?.test(code)) {
    const detail = `${quote(address.postal_code ?? '')} is no postal code of ${address.country}`
    throw new Refusal('invalid_postal_code', `${path}.postal_code`, detail)
  }
  return findPostalRule(book, address)?.jurisdiction_id
}

function findPostalRule(book: RateBook, address: Address): PostalRule | undefined {
  const rules = book.postal_rules.get(address.country)
  if (rules === undefined) return undefined
  const code = compactPostalCode(address.country, address.postal_code ?? '')
  // Rules stand longest prefix first, so the first that fits is the closest.
  return rules.find(
    (rule) =>
      hasPrefix(code, rule) &&
      (rule.city === null || address.city?.toLowerCase().includes(rule.city) === true),
  )
}

function hasPrefix(code: string, { prefix, prefix_to }: PostalRule): boolean {
  if (prefix_to === null) return code.startsWith(prefix)
  const start = code.slice(0, prefix.length)
  return start.length === prefix.length && prefix <= start && start <= prefix_to
}

/**
 * The place of a region that is given by its code, its full id or its name; null when neither data nor
 * aliases know it.
 */
function namedRegion(book: RateBook, country: string, region: string): string | null {
  const id = regionId(country, region)
  if (book.jurisdictions.has(id)) return id
  const name = `${country}-${plainName(region)}`
  return REGION_ALIASES.get(id) ?? REGION_ALIASES.get(name) ?? book.named_regions.get(name) ?? null
}

function regionId(country: string, region: string): string {
  const code = region.trim().toUpperCase()
  return code.startsWith(`${country}-`) ? code : `${country}-${code}`
}

function placeOf(book: RateBook, jurisdiction: Jurisdiction): Place {
  const vat_state =
    jurisdiction.in_eu_vat_area === true
      ? jurisdiction.region === 'EU'
        ? memberState(jurisdiction)
        : jurisdiction.id
      : null
  return {
    jurisdiction_id: jurisdiction.id,
    regime: regimeOf(jurisdiction),
    vat_state,
    covered: book.rates.has(jurisdiction.id),
  }
}

/**
 * Territories outside the VAT area of their country are no part of its regime: Directive 2006/112/EC, art. 6;
 * VATA 1994, s. 96(11).
 */
function regimeOf(jurisdiction: Jurisdiction): Regime {
  switch (jurisdiction.region) {
    case 'EU':
      return jurisdiction.in_eu_vat_area === true ? 'EU' : 'uncovered'
    case 'UK':
      return jurisdiction.vat_treatment === 'outside_uk_vat' ? 'uncovered' : 'GB'
    default:
      return jurisdiction.region
  }
}

function memberState(jurisdiction: Jurisdiction): string {
  return jurisdiction.parent_id ?? jurisdiction.id
}

function uncovered(id: string): Place {
  return { jurisdiction_id: id, regime: 'uncovered', vat_state: null, covered: false }
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 40))
}
