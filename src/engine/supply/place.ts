import type {
  BundleLaw,
  FreeBundle,
  MarketplaceScope,
  Place,
  PricePart,
  PriceParts,
  RegimeLaw,
} from '../regimes/regime.ts'
import { BUNDLE_SCOPES, type Jurisdiction, type PartOfPrice, type PostalRule } from '../book/facts.ts'
import { MILLION } from '../arithmetic/rounding.ts'
import { invariant } from '../ground/invariant.ts'
import { compactPostalCode } from '../book/postal-code.ts'
import { lineage, type RateBook } from '../book/rate-book.ts'
import { countryInSentence, nameInSentence, placeInSentence } from '../book/names.ts'
import {
  codeByOtherName,
  COUNTRIES_KEPT_AS_REGIONS,
  plainName,
  regionKey,
  withoutWordsAround,
  saysNoRegion,
} from '../book/region-names.ts'
import { isMainlandCode, territoryNamed, territoryOfCode, territoryOfTown } from '../book/territories.ts'
import { Refusal } from '../ground/refusal.ts'
import { lawOfRegion, REGIMES, REGIONAL } from '../regimes/list.ts'
import { uncovered } from '../regimes/uncovered.ts'
import type { Address, Sale } from '../sale/sale.ts'

/** How exactly an address must name the place. For a seller the country alone is enough. */
type Exactness = 'region' | 'country'

/**
 * The jurisdiction of an address. Some countries need a state or province, either given or found by the
 * postal code. `parameter` names the address in errors. Throws region_required, invalid_region,
 * invalid_postal_code, region_postal_code_mismatch.
 */
export function findPlace(
  book: RateBook,
  address: Address,
  parameter: string,
  exactness: Exactness = 'region',
): Place {
  const { country } = address
  const code = address.postal_code ? compactPostalCode(country, address.postal_code) : null
  const whole = countryNamed(book, country)
  if (whole?.type === 'country' && REGIONAL.has(whole.region))
    return placeInRegion(book, whole, { address, code, parameter, exactness })
  const id = territoryOf(book, address, code) ?? whole?.id ?? country
  const jurisdiction = id === whole?.id ? whole : book.jurisdictions.get(id)
  return jurisdiction === undefined ? placeWithoutData(book, id) : placeOf(book, jurisdiction)
}

/** Where the seller is established; null: unknown. */
export function sellerPlace({ seller }: Pick<Sale, 'seller'>, book: RateBook): Place | null {
  return seller.address === null ? null : findPlace(book, seller.address, 'seller.address', 'country')
}

/** The place of a jurisdiction that is named by its id, or null if it does not exist. */
export function placeOfJurisdiction(book: RateBook, jurisdiction_id: string): Place | null {
  const jurisdiction = book.jurisdictions.get(jurisdiction_id)
  return jurisdiction === undefined ? null : placeOf(book, jurisdiction)
}

/** The place of a jurisdiction by its id. A place that the data lacks has no taxes. */
export function placeNamed(book: RateBook, jurisdiction_id: string): Place {
  return placeOfJurisdiction(book, jurisdiction_id) ?? placeWithoutData(book, jurisdiction_id)
}

/** Whether a place is a whole country whose tax is that of its states or provinces. */
export function lacksRegion(book: RateBook, { jurisdiction_id, law }: Place): boolean {
  return law.address.regional && book.jurisdictions.get(jurisdiction_id)?.type === 'country'
}

/** The law of the country of an address, wherever in it the address is. */
export function countryLaw(book: RateBook, { country }: Address): RegimeLaw {
  const whole = countryNamed(book, country)
  return whole === undefined ? uncovered : lawOfRegion(book, whole.region)
}

function countryNamed(book: RateBook, country: string): Jurisdiction | undefined {
  return (
    book.jurisdictions.get(country) ?? book.jurisdictions.get(COUNTRIES_KEPT_AS_REGIONS.get(country) ?? '')
  )
}

/** The law of a jurisdiction: the law of its region, unless that does not cover the territory. */
export function lawOf(book: RateBook, jurisdiction: Jurisdiction): RegimeLaw {
  const law = lawOfRegion(book, jurisdiction.region)
  return law.covers(jurisdiction) ? law : uncovered
}

/**
 * A territory with rules of its own within its country, found by its postal code, which the parcel follows,
 * else by its region, else by its city.
 */
function territoryOf(book: RateBook, address: Address, code: string | null): string | null {
  const { country, region, city } = address
  const named = region ? namedRegion(book, country, region) : null
  if (code !== null) {
    const byCode = findPostalRule(book, address, code)?.jurisdiction_id ?? territoryOfCode(country, code)
    if (byCode !== null) return byCode
    if (isMainlandCode(country, code, named)) return null
  }
  return named ?? (city ? territoryOfTown(country, city, Boolean(region)) : null)
}

/** Whether the region of an address names a territory, and its postal code another place, which counts. */
export function isRegionOverruled(book: RateBook, address: Address): boolean {
  const { country, region, postal_code } = address
  const named = region ? namedRegion(book, country, region) : null
  if (named === null || !postal_code) return false
  return territoryOf(book, address, compactPostalCode(country, postal_code)) !== named
}

/** An address as it was given. `code`: its postal code as the rules have it. */
type AskedAddress = { address: Address; code: string | null; parameter: string; exactness: Exactness }

function placeInRegion(book: RateBook, whole: Jurisdiction, asked: AskedAddress): Place {
  const { address, code, parameter } = asked
  const { country } = address
  const apart = placeApart(book, whole, asked)
  if (apart !== null) return apart
  const named = address.region ? namedRegion(book, country, address.region) : null
  if (address.region && named === null && !saysNoRegion(address.region)) {
    const detail = `${quote(address.region)} is not a state or province of ${placeInSentence(book, country)}`
    throw new Refusal('invalid_region', `${parameter}.region`, detail)
  }
  const byCode = code === null ? undefined : regionOfPostalCode(book, lawOf(book, whole), code, asked)
  if (named !== null && byCode && byCode !== named) {
    const [found, asked_for] = [byCode, named].map((id) => placeInSentence(book, id))
    const postal_code = quote(address.postal_code ?? '')
    const detail = `postal code ${postal_code} belongs to ${found}, not to ${asked_for}`
    throw new Refusal('region_postal_code_mismatch', `${parameter}.postal_code`, detail)
  }
  const id = named ?? byCode ?? null
  if (id !== null) {
    const jurisdiction = book.jurisdictions.get(id)
    return jurisdiction === undefined ? placeWithoutData(book, id) : placeOf(book, jurisdiction)
  }
  if (asked.exactness === 'country') return placeOf(book, whole)
  const hint = address.postal_code
    ? `postal code ${quote(address.postal_code)} does not belong to a state or province`
    : 'the country alone does not decide the tax'
  throw new Refusal(
    'region_required',
    `${parameter}.region`,
    `is required for ${placeInSentence(book, country)}: ${hint}`,
  )
}

/** The place of an address in a region that is no part of its country for tax; null: it is in none. */
function placeApart(book: RateBook, whole: Jurisdiction, asked: AskedAddress): Place | null {
  const law = lawOfRegion(book, whole.region)
  const { apart } = law.address
  const { address, code, parameter } = asked
  const { country, region } = address
  if (apart === undefined) return null
  const named = region ? apart.ofName(region) : null
  const byCode = code === null ? null : apart.ofPostalCode(code)
  const found = named ?? byCode
  if (found === null) return null
  if (code !== null) refuseForm(law, code, asked)
  if (region && code !== null && named !== byCode) {
    const detail = `postal code ${quote(address.postal_code ?? '')} does not belong to ${quote(region)}`
    throw new Refusal('region_postal_code_mismatch', `${parameter}.postal_code`, detail)
  }
  return placeWithoutData(book, `${country}-${found}`, apart.law)
}

/** The name of a region that is no part of its country for tax; null: it is none. */
export function nameOfPlaceApart(jurisdiction_id: string): string | null {
  for (const { address, id } of Object.values(REGIMES))
    for (const { code, name } of address.apart?.regions ?? [])
      if (`${id}-${code}` === jurisdiction_id) return name
  return null
}

/** The region of a postal code: an id, null if the code has no region, undefined if it is not assigned. */
function regionOfPostalCode(
  book: RateBook,
  law: RegimeLaw,
  code: string,
  asked: AskedAddress,
): string | null | undefined {
  refuseForm(law, code, asked)
  return findPostalRule(book, asked.address, code)?.jurisdiction_id
}

function refuseForm(law: RegimeLaw, code: string, { address, parameter }: AskedAddress): void {
  if (law.address.postal_code?.test(code) !== false) return
  const country = countryInSentence(address.country)
  const detail = `${quote(address.postal_code ?? '')} is not a postal code of ${country}`
  throw new Refusal('invalid_postal_code', `${parameter}.postal_code`, detail)
}

function findPostalRule(
  book: RateBook,
  { country, city: town }: Address,
  code: string,
): PostalRule | undefined {
  const rules = book.postal_rules.get(country)
  if (rules === undefined) return undefined
  // The rule with the longest prefix comes first, so the first that fits is the closest.
  for (const rule of rulesOfFirst(rules, code.charAt(0)))
    if (hasPrefix(code, rule) && (rule.city === null || town?.toLowerCase().includes(rule.city))) return rule
  return undefined
}

/** By the first character of a code, the longest prefix first: a tenth of those of the United States. */
const by_first = new WeakMap<readonly PostalRule[], Map<string, readonly PostalRule[]>>()

function rulesOfFirst(rules: readonly PostalRule[], first: string): readonly PostalRule[] {
  const index = by_first.get(rules)
  const known = index?.get(first)
  if (known !== undefined) return known
  const found = rules
    .filter(
      ({ prefix, prefix_to }) => prefix.slice(0, 1) <= first && first <= (prefix_to ?? prefix).slice(0, 1),
    )
    .toSorted(
      (a, b) => b.prefix.length - a.prefix.length || Number(b.city !== null) - Number(a.city !== null),
    )
  if (index === undefined) by_first.set(rules, new Map([[first, found]]))
  else index.set(first, found)
  return found
}

function hasPrefix(code: string, { prefix, prefix_to }: PostalRule): boolean {
  if (prefix_to === null) return code.startsWith(prefix)
  const long_enough = code.length >= prefix.length
  return long_enough && prefix <= code && (code <= prefix_to || code.startsWith(prefix_to))
}

/**
 * The place of a region by its code, its full id or its name; null if neither the data nor the table of
 * territories has it.
 */
export function namedRegion(book: RateBook, country: string, region: string): string | null {
  const id = regionId(country, region)
  if (book.jurisdictions.has(id)) return id
  const key = regionKey(region)
  return (
    territoryNamed(country, plainName(region)) ??
    territoryNamed(country, key) ??
    regionOfKey(book, country, key) ??
    regionOfKey(book, country, withoutWordsAround(country, key))
  )
}

function regionOfKey(book: RateBook, country: string, key: string): string | null {
  const id = `${country}-${codeByOtherName(country, key) ?? key.toUpperCase()}`
  return book.jurisdictions.has(id) ? id : (book.named_regions().get(`${country}-${key}`) ?? null)
}

function regionId(country: string, region: string): string {
  const code = region.trim().toUpperCase()
  return code.startsWith(`${country}-`) ? code : `${country}-${code}`
}

/** The places of each book, by jurisdiction: a calculation looks at three or four of them. */
const places_of = new WeakMap<RateBook, Map<string, Place>>()

function placeOf(book: RateBook, jurisdiction: Jurisdiction): Place {
  const places = places_of.get(book) ?? new Map<string, Place>()
  const known = places.get(jurisdiction.id)
  if (known !== undefined) return known
  const law = lawOf(book, jurisdiction)
  const regime = lawOfRegion(book, jurisdiction.region)
  const { goods: vat_state, services: service_state } = regime.memberStates(jurisdiction)
  const state = stateOf(book, jurisdiction, vat_state)
  const place: Place = {
    jurisdiction_id: jurisdiction.id,
    name: nameInSentence(jurisdiction.name),
    law,
    vat_state,
    state: vat_state ?? jurisdiction.id,
    service_state,
    reverse_charged: state.non_established_reverse_charge?.split(' ') ?? [],
    domestic_reverse_charge: JSON.parse(
      state.domestic_reverse_charge ?? countryOf(book, jurisdiction).domestic_reverse_charge ?? '[]',
    ),
    unless_registered: state.reverse_charge_unless_registered ?? false,
    marketplace_from: state.marketplace_from ?? countryOf(book, jurisdiction).marketplace_from ?? null,
    marketplace_scope: marketplaceScope(jurisdiction),
    mixed_shipping: jurisdiction.mixed_shipping ?? null,
    price_parts: pricePartsOf(jurisdiction, law),
    bundles: bundleLawOf(jurisdiction, law),
    covered: book.rates.has(jurisdiction.id),
    taxes: law.taxes(book, jurisdiction.id),
    left_out: book.countries.get(jurisdiction.id)?.left_out ?? null,
  }
  places_of.set(book, places.set(jurisdiction.id, place))
  return place
}

/** Kinds are separated by blanks, and the day of a kind follows a colon. */
function marketplaceScope(jurisdiction: Jurisdiction): MarketplaceScope | null {
  const { marketplace_covers, marketplace_leaves, marketplace_statute, marketplace_from } = jurisdiction
  if (!marketplace_covers && !marketplace_leaves) return null
  const covers = new Map<string, string>()
  for (const each of marketplace_covers?.split(' ') ?? []) {
    const [kind = '', from = marketplace_from] = each.split(':')
    if (from) covers.set(kind, from)
  }
  return { covers, leaves: marketplace_leaves?.split(' ') ?? [], statute: marketplace_statute ?? null }
}

/** What the data of a place says of parts of a price, else what its law says. */
function pricePartsOf(
  { funded_discounts, funded_discounts_law, trade_ins, trade_ins_law }: Jurisdiction,
  { price_parts }: RegimeLaw,
): PriceParts {
  return {
    funded_discount: pricePart(funded_discounts, funded_discounts_law) ?? price_parts.funded_discount,
    trade_in: pricePart(trade_ins, trade_ins_law) ?? price_parts.trade_in,
  }
}

function pricePart(
  verdict: PartOfPrice | null | undefined,
  law: string | null | undefined,
): PricePart | null {
  return verdict ? { taxed: verdict === 'taxed', basis: law ?? 'law of the state' } : null
}

/** What the data of a place says of bundles, else what its law says; null: it is not on file. */
function bundleLawOf(
  { bundles, bundles_of, bundles_free, bundles_law }: Jurisdiction,
  law: RegimeLaw,
): BundleLaw | null {
  if (!bundles) return law.bundles
  if (bundles === 'unknown') return law.bundles === null ? null : { ...law.bundles, certain: false }
  return {
    taxed: bundles,
    basis: bundles_law ?? 'law of the state',
    of: bundles_of ?? 'all',
    free: bundles_free?.split(' ').map(freeBundle) ?? [],
    certain: true,
  }
}

/** `food:0.5` frees bundles with food whose taxable products are at most half of the price. */
function freeBundle(text: string): FreeBundle {
  const [scope, fraction] = text.split(':')
  const of = invariant(BUNDLE_SCOPES.find((each) => each === scope) ?? null, `${text} names bundles`)
  return { of, up_to_millionths: Math.round(Number(fraction) * MILLION) }
}

function stateOf(book: RateBook, jurisdiction: Jurisdiction, vat_state: string | null): Jurisdiction {
  return (vat_state === null ? undefined : book.jurisdictions.get(vat_state)) ?? jurisdiction
}

/** Canada's law is that of the country; a state of the United States has its own. */
function countryOf(book: RateBook, jurisdiction: Jurisdiction): Jurisdiction {
  const id = lineage(book, jurisdiction.id).at(-1) ?? jurisdiction.id
  return book.jurisdictions.get(id) ?? jurisdiction
}

export function placeWithoutData(book: RateBook, id: string, law: RegimeLaw = uncovered): Place {
  return {
    jurisdiction_id: id,
    name: nameOfPlaceApart(id) ?? countryInSentence(id),
    law,
    vat_state: null,
    state: id,
    service_state: null,
    reverse_charged: [],
    domestic_reverse_charge: [],
    unless_registered: false,
    marketplace_from: null,
    marketplace_scope: null,
    mixed_shipping: null,
    price_parts: law.price_parts,
    bundles: law.bundles,
    covered: false,
    taxes: [],
    left_out: book.countries.get(id)?.left_out ?? null,
  }
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 40))
}
