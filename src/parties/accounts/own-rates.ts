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
  const jurisdiction_id = placeWithoutRates(book, canonicalId(jurisdiction))
  refuseOverlaps(body)
  const own: HeldOwnRates = {
    jurisdiction_id,
    updated_at: context.now.toISOString(),
    rates: body.rates.map(heldRate),
  }
  const answer = present(book, own)
  await change(context, jurisdiction_id, own, answer)
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
        changed: own === null ? [] : ['rates'],
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

/** The log of changes has the rates as one text. */
function told(own: HeldOwnRates | null): { rates: string } | null {
  return own === null ? null : { rates: JSON.stringify(own.rates) }
}

function present(
  book: RateBook,
  { jurisdiction_id, rates, updated_at }: HeldOwnRates,
): Answer<typeof OwnRates> {
  return {
    jurisdiction_id,
    jurisdiction_name: nameOf(book, jurisdiction_id),
    rates: rates.map(({ rate_millionths, ...rate }) => ({ ...rate, rate: rate_millionths / MILLION })),
    updated_at,
  }
}

function nameOf(book: RateBook, id: string): string {
  return book.jurisdictions.get(id)?.name ?? placeNamed(book, id).name
}

/** A place of which the data does not have all tax. Throws unknown_jurisdiction, invalid_request. */
function placeWithoutRates(book: RateBook, id: string): string {
  if (!book.jurisdictions.has(id) && !COUNTRIES.has(id))
    throw fieldError('unknown_jurisdiction', 'id', `there is no jurisdiction ${JSON.stringify(id)}`)
  const { law, name } = placeNamed(book, id)
  if (law.id !== 'uncovered' && law.only === undefined)
    throw fieldError(
      'invalid_request',
      'id',
      `the tax of ${name} is in the data: own rates are for what is not`,
    )
  return id
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

function heldRate(rate: AskedRate): HeldOwnRate {
  return {
    product_type: rate.product_type ?? null,
    tax_type: rate.tax_type ?? 'VAT',
    rate_millionths: Math.round(rate.rate * MILLION),
    valid_from: rate.valid_from,
    valid_to: rate.valid_to ?? null,
    source: rate.source ?? null,
  }
}
