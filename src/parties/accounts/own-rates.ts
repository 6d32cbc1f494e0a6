import type { Context } from '../../platform/context.ts'
import { valuesOf } from '../../platform/database/audit-values.ts'
import { commit } from '../../platform/writes/commit.ts'
import { guarded } from '../../platform/database/guard.ts'
import { readAgainOnChange } from '../../platform/database/read-again.ts'
import { ApiError, fieldError } from '../../platform/errors.ts'
import type { Answer, DeletedAnswer } from '../../platform/http/answers.ts'
import { canonicalId } from '../../platform/http/field-rules.ts'
import { COUNTRIES } from '../../platform/http/iso-codes.ts'
import { pageOf } from '../../platform/http/page.ts'
import { daysAfter, dayOf } from '../../platform/kit/calendar.ts'
import { taxedPlaces } from '../../engine/answer/coverage.ts'
import type { TaxType } from '../../engine/book/facts.ts'
import { MILLION } from '../../engine/arithmetic/rounding.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import { placeNamed } from '../../engine/supply/place.ts'
import { bookFor } from '../../tax-data/records/book-for.ts'
import { forgetPrincipals } from './authenticate.ts'
import type {
  HeldOwnRate,
  HeldOwnRates,
  OwnRates,
  OwnRatesAnswer,
  OwnRatesBody,
} from './own-rates-schemas.ts'
import { readOwnRates, replaceOwnRates } from './store.ts'

/** Rates that replace the data are looked at again after so many days. */
const REPLACED_DAYS_MAX = 90

/** They are read with each look-up of a key. */
const RATES_MAX = 100

/** The own rates of the account by place, in the order of their ids. */
export async function listOwnRates(
  context: Context,
  limit: number,
  offset: number,
): Promise<Answer<typeof OwnRatesAnswer>> {
  const { held, book } = await readHeld(context)
  const own_rates = held.slice(offset, offset + limit).map((own) => present(book, own))
  return { own_rates, ...pageOf(held.length, limit, offset) }
}

/** Those of one place. Throws not_found. */
export async function getOwnRates(context: Context, jurisdiction: string): Promise<Answer<typeof OwnRates>> {
  const { held, book } = await readHeld(context)
  const own = held.find(({ jurisdiction_id }) => jurisdiction_id === canonicalId(jurisdiction))
  if (own === undefined) throw new ApiError('not_found')
  return present(book, own)
}

/**
 * Replaces the own rates of one place. Calculations use them at once in this isolate, within a minute
 * elsewhere. Throws unknown_jurisdiction, invalid_request.
 */
export async function putOwnRates(
  context: Context,
  jurisdiction: string,
  body: OwnRatesBody,
): Promise<Answer<typeof OwnRates>> {
  const book = await bookFor(context)
  const place = placeOfOwnRates(book, canonicalId(jurisdiction), body.replaces === true)
  refuseOverlaps(body)
  const until = endOf(body, dayOf(context.now))
  const own: HeldOwnRates = {
    jurisdiction_id: place.jurisdiction_id,
    updated_at: context.now.toISOString(),
    rates: body.rates.map((rate, index) =>
      until === null
        ? heldRate(rate, rate.tax_type ?? 'VAT')
        : replacingRate(rate, index, { ...place, until }),
    ),
    ...(until !== null && { until }),
  }
  const answer = present(book, own)
  await change(context, place.jurisdiction_id, own, answer)
  return answer
}

/** Deletes those of one place. Sales that rest on them stay as they were recorded. Throws not_found. */
export async function deleteOwnRates(
  context: Context,
  jurisdiction: string,
): Promise<Answer<typeof DeletedAnswer>> {
  const id = canonicalId(jurisdiction)
  const answer: Answer<typeof DeletedAnswer> = { id, deleted: true }
  await change(context, id, null, answer)
  return answer
}

/** Writes the own rates of one place; null: deletes them. Two changes at once are both kept. */
async function change(context: Context, id: string, own: HeldOwnRates | null, answer: object): Promise<void> {
  await readAgainOnChange(async () => {
    const stored = await readOwnRates(context)
    const held: HeldOwnRates[] = JSON.parse(stored)
    const before = held.find(({ jurisdiction_id }) => jurisdiction_id === id) ?? null
    if (own === null && before === null) throw new ApiError('not_found')
    const after = [...held.filter((each) => each !== before), ...(own === null ? [] : [own])]
    if (after.reduce((count, { rates }) => count + rates.length, 0) > RATES_MAX)
      throw fieldError('invalid_request', 'rates', `an account has at most ${RATES_MAX} own rates`)
    after.sort((a, b) => (a.jurisdiction_id < b.jurisdiction_id ? -1 : 1))
    const values = await valuesOf(told(before), told(own))
    await commit(context, {
      changes: guarded(
        context.env.DB,
        replaceOwnRates(context, stored, JSON.stringify(after)),
        'concurrent_change',
      ),
      audit: {
        action: own === null ? 'own_rates.deleted' : 'own_rates.replaced',
        resource_id: id,
        changed: own === null ? [] : own.until === before?.until ? ['rates'] : ['rates', 'until'],
        values,
      },
      answer,
    })
  })
  forgetPrincipals(context.principal.account_id)
}

async function readHeld(context: Context): Promise<{ held: HeldOwnRates[]; book: RateBook }> {
  const [stored, book] = await Promise.all([readOwnRates(context), bookFor(context)])
  return { held: JSON.parse(stored), book }
}

/** The log of changes has the rates as one text, and until when they replace those of the data. */
function told(own: HeldOwnRates | null): { rates: string; until?: string } | null {
  if (own === null) return null
  const { rates, until } = own
  return { rates: JSON.stringify(rates), ...(until !== undefined && { until }) }
}

function present(
  book: RateBook,
  { jurisdiction_id, rates, updated_at, until }: HeldOwnRates,
): Answer<typeof OwnRates> {
  return {
    jurisdiction_id,
    jurisdiction_name: nameOf(book, jurisdiction_id),
    rates: rates.map(({ rate_millionths, ...rate }) => ({ ...rate, rate: rate_millionths / MILLION })),
    replaces: until !== undefined,
    until: until ?? null,
    updated_at,
  }
}

function nameOf(book: RateBook, id: string): string {
  return book.jurisdictions.get(id)?.name ?? placeNamed(book, id).name
}

/**
 * A place of which the data does not have all tax, or has the tax that is replaced. Throws
 * unknown_jurisdiction, invalid_request.
 */
function placeOfOwnRates(book: RateBook, id: string, replaces: boolean): OwnPlace {
  if (!book.jurisdictions.has(id) && !COUNTRIES.has(id))
    throw fieldError('unknown_jurisdiction', 'id', `there is no jurisdiction ${JSON.stringify(id)}`)
  const { law, name } = placeNamed(book, id)
  const tax_type = taxOf(book, id)
  if (replaces && (law.id === 'uncovered' || tax_type === null))
    throw fieldError('invalid_request', 'replaces', `no tax of ${name} itself is in the data: leave it out`)
  if (!replaces && law.id !== 'uncovered' && law.only === undefined)
    throw fieldError(
      'invalid_request',
      'id',
      `the tax of ${name} is in the data: own rates are for what is not. If the data is wrong, report it, ` +
        'and send replaces and until',
    )
  return { jurisdiction_id: id, tax_type }
}

/** `tax_type`: the tax of the place itself; null: the data has none. */
type OwnPlace = { jurisdiction_id: string; tax_type: TaxType | null }

/** The general tax that a jurisdiction levies, at itself or, as the federal one of Canada, at its parts. */
function taxOf(book: RateBook, id: string): TaxType | null {
  const levied = taxedPlaces(book).flatMap(({ taxes }) => taxes)
  return levied.find((layer) => layer.jurisdiction_id === id && !layer.on_top)?.tax_type ?? null
}

/** The last day of rates that replace the data; null: they replace nothing. Throws invalid_request. */
function endOf({ replaces, until }: OwnRatesBody, today: string): string | null {
  if (replaces !== true) {
    if (until === undefined) return null
    throw fieldError('invalid_request', 'until', 'belongs to replaces: end a rate with valid_to')
  }
  const last = daysAfter(today, REPLACED_DAYS_MAX)
  if (until === undefined || until < today || until > last)
    throw fieldError('invalid_request', 'until', `must be a day from ${today} to ${last}`)
  return until
}

/** A rate in place of one in the data. It ends with the others. Throws invalid_request. */
function replacingRate(
  rate: AskedRate,
  index: number,
  { tax_type, until }: OwnPlace & { until: string },
): HeldOwnRate {
  if (rate.tax_type !== undefined && rate.tax_type !== tax_type)
    throw fieldError('invalid_request', `rates[${index}].tax_type`, `must be ${tax_type}, or left out`)
  const last = rate.valid_to ?? until
  if (last > until || rate.valid_from > until)
    throw fieldError('invalid_request', `rates[${index}].valid_to`, `must not be after until, ${until}`)
  return { ...heldRate(rate, tax_type ?? 'VAT'), valid_to: last }
}

/** Throws invalid_request if two rates of one product share a day. */
function refuseOverlaps({ rates }: OwnRatesBody): void {
  rates.forEach((rate, index) => {
    const other = rates.findIndex((each, position) => position < index && overlaps(each, rate))
    if (other >= 0)
      throw fieldError(
        'invalid_request',
        `rates[${index}].valid_from`,
        `shares days with rates[${other}], which is for the same product`,
      )
  })
}

type AskedRate = OwnRatesBody['rates'][number]

function overlaps(one: AskedRate, other: AskedRate): boolean {
  return (
    (one.product_type ?? null) === (other.product_type ?? null) &&
    one.valid_from <= (other.valid_to ?? '9999') &&
    other.valid_from <= (one.valid_to ?? '9999')
  )
}

function heldRate(rate: AskedRate, tax_type: TaxType): HeldOwnRate {
  return {
    product_type: rate.product_type ?? null,
    tax_type,
    rate_millionths: Math.round(rate.rate * MILLION),
    valid_from: rate.valid_from,
    valid_to: rate.valid_to ?? null,
    source: rate.source ?? null,
  }
}
