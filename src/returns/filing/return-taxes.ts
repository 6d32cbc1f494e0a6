import type { Context } from '../../platform/context.ts'
import { bookFor } from '../../tax-data/records/book-for.ts'
import { localBookFor } from '../../tax-data/records/local-book-for.ts'
import type { LocalBook, LocalJurisdiction, LocalState } from '../../engine/regimes/us-local/local-book.ts'
import { jurisdictionOfRate } from '../../engine/regimes/us-local/remote-seller-rate.ts'
import type { JurisdictionTax } from '../rows/jurisdiction-tax.ts'
import { readJurisdictionTaxes } from '../rows/jurisdiction-taxes-store.ts'
import type { LineScope } from '../rows/report-lines-store.ts'
import type { FilingTax } from '../forms/answers.ts'
import type { FilledReturn } from './compute-return.ts'
import type { FilingRow } from '../rows/figures.ts'
import { notesOnOfficeCodes, officeCodeOf } from './office-codes.ts'

type Unlinked = Omit<FilingTax, 'transactions_url'> & { key: string }

/**
 * The taxes of a return by jurisdiction, without their links. Empty for forms that do not list them. Null:
 * there are too many sales to add up the tax of each jurisdiction.
 */
export async function taxesOfReturn(
  context: Context,
  form: FilledReturn['form'],
  scopes: readonly LineScope[],
): Promise<Unlinked[] | null> {
  if (form.lists_taxes !== true) return []
  const taxes = await readJurisdictionTaxes(context, scopes)
  return taxes === null ? null : nameTaxes(context, taxes)
}

/** The rows whose lines the taxes of a return add up. */
export function taxedRows({ filled, corrections }: FilledReturn): FilingRow[] {
  return [...filled.supplies, ...corrections].flatMap(({ rows }) => rows)
}

/** Taxes with the names and codes of their jurisdictions: the state first, then its places. */
export async function nameTaxes(context: Context, taxes: readonly JurisdictionTax[]): Promise<Unlinked[]> {
  if (taxes.length === 0) return []
  const book = await bookFor(context)
  const address = { country: 'US' }
  const local = await localBookFor(context, book, { customer: address, supply: null })
  return taxes
    .map((tax) => nameTax(tax, book.jurisdictions.get(tax.jurisdiction_id)?.name ?? null, local))
    .toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
}

const LEVELS = ['state', 'flat', 'county', 'city', 'district', 'not_split'] as const

function orderOf({ state, level, key }: Unlinked): string {
  return `${state} ${LEVELS.indexOf(level)} ${key}`
}

function nameTax(tax: JurisdictionTax, state: string | null, local: LocalBook | null): Unlinked {
  const { key, jurisdiction_id, place_of_supply, tax_type, levied_as, tax_rate, ...sums } = tax
  const found = local === null ? null : jurisdictionNamed(local, tax)
  const unsplit = tax_type === ''
  return {
    key,
    jurisdiction_id,
    state: place_of_supply,
    level: unsplit
      ? 'not_split'
      : (found?.type ?? (jurisdiction_id === place_of_supply ? 'state' : 'district')),
    name: found?.name ?? state ?? jurisdiction_id,
    code: found === null || isMadeUp(found) ? null : found.code,
    office_code: unsplit ? null : officeCodeOf(jurisdiction_id),
    tax_type: unsplit ? null : tax_type,
    levied_as: levied_as === '' ? null : levied_as,
    rate: unsplit ? null : tax_rate / 1_000_000,
    ...sums,
  }
}

/** A jurisdiction of the book; of a rate for sellers from elsewhere the one that stands for it. */
function jurisdictionNamed(
  local: LocalBook,
  { jurisdiction_id, place_of_supply, levied_as }: JurisdictionTax,
): LocalJurisdiction | null {
  const state = place_of_supply.slice(3)
  const onFile = local.state(state)
  const chosen = onFile?.law.remote_seller_rate
  const flat = chosen === undefined ? null : jurisdictionOfRate(state, chosen)
  if (flat?.id === jurisdiction_id && (chosen?.levied_as ?? '') === levied_as) return flat
  return onFile?.jurisdictions.get(jurisdiction_id) ?? placeOfOwnTax(onFile?.law, state, jurisdiction_id)
}

/** A place that is on file for its tax on meals or stays alone. */
function placeOfOwnTax(law: LocalState | undefined, state: string, id: string): LocalJurisdiction | null {
  const tax = law?.own_taxes?.find((each) => each.id === id)
  if (tax === undefined) return null
  const { name, county_fips, source, as_of } = tax
  const type = county_fips === null ? 'city' : 'county'
  return { id, state, type, code: '', name, county_fips, rates: [], also: [], zips: [], source, as_of }
}

/** A place without a code of its own has its name in capitals. */
function isMadeUp({ code }: { code: string }): boolean {
  return !/\d/.test(code)
}

const UNSPLIT =
  'Tax that was given with a sale and differs from the calculated tax is not split by jurisdiction'

function isLocal(level: FilingTax['level']): boolean {
  return level !== 'state' && level !== 'not_split'
}

/** What a reader of the taxes has to know. */
export function notesOnTaxes(
  taxes: readonly Pick<FilingTax, 'level' | 'state' | 'office_code'>[] | null,
): string[] {
  if (taxes === null)
    return ['The taxes of counties and cities are listed for at most 100,000 sales: request a shorter period']
  const unsplit = taxes.some(({ level }) => level === 'not_split')
  return [...(unsplit ? [UNSPLIT] : []), ...notesOnOfficeCodes(taxes.filter(({ level }) => isLocal(level)))]
}
