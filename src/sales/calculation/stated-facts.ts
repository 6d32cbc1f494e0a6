import { isOwnCountry } from '../../parties/accounts/own-country.ts'
import { sellerOf } from '../../parties/accounts/seller.ts'
import type { Context } from '../../platform/context.ts'
import { at } from '../../engine/ground/invariant.ts'
import type { Address } from '../../engine/sale/sale.ts'
import type { Answer } from '../../platform/http/answers.ts'
import type { Calculation, StatedFacts, StatedOfLine } from './answers.ts'
import type { AskedCalculation, AskedLine } from './asked-calculation.ts'

/**
 * A calculation with the facts that its request states and that the answer does not show otherwise. So the
 * answer alone tells how the sale is recorded.
 */
export function withStatedFacts(
  context: Pick<Context, 'principal'>,
  asked: AskedCalculation,
  answer: Answer<typeof Calculation>,
): Answer<typeof Calculation> {
  const stated = statedFacts(context, asked, answer.transaction_date)
  const apart =
    asked.discount_amount > 0 && asked.line_items.some((line) => line.discount_funded_by !== 'seller')
  return {
    ...answer,
    line_items: answer.line_items.map((line, index) => {
      const given = at(asked.line_items, index)
      return apart || statesOfLine(given) ? { ...line, stated: statedOfLine(given, apart) } : line
    }),
    ...(Object.keys(stated).length > 0 && { stated }),
  }
}

/** Whether a line states a fact that the answer does not show otherwise. Few do, so it makes no object. */
function statesOfLine({ taxable, supply, live, business_only }: AskedLine): boolean {
  return (!taxable && supply) || live || (business_only ?? false)
}

function statedFacts(
  context: Pick<Context, 'principal'>,
  asked: AskedCalculation,
  day: string,
): Answer<typeof StatedFacts> {
  const { ship_from, importer, delivery, marketplace, facilitated_seller, supply_address } = asked
  const { seller_registered, rounding, local_fallback } = asked
  return {
    ...statedSeller(context, asked, day),
    ...(ship_from && { ship_from: statedAddress(ship_from) }),
    ...(importer && { importer }),
    ...(delivery && { delivery }),
    ...(marketplace && {
      marketplace: {
        role: marketplace,
        ...(facilitated_seller && {
          seller: {
            ...statedAddress(facilitated_seller.address),
            ...(facilitated_seller.registrations && { registrations: [...facilitated_seller.registrations] }),
          },
        }),
      },
    }),
    ...(supply_address && { supply_address: statedAddress(supply_address) }),
    ...(seller_registered !== null && { seller_registered }),
    ...(rounding && { rounding }),
    ...(local_fallback && { local_fallback }),
    ...(asked.country_alone && { place_policy: 'approximate' as const }),
  }
}

/**
 * The seller of the request; none if it is what the account itself is on that day. A seller elsewhere that
 * states no registrations was taxed by those of the account, so it has them here.
 */
function statedSeller(
  context: Pick<Context, 'principal'>,
  { seller: given }: AskedCalculation,
  day: string,
): Pick<Answer<typeof StatedFacts>, 'seller'> {
  if (given === undefined) return {}
  const sold_by = sellerOf(context, given, day)
  const near = given.country === context.principal.seller?.country
  if (near && JSON.stringify(sold_by) === JSON.stringify(sellerOf(context, undefined, day))) return {}
  const is_own = isOwnCountry(context.principal, given.country, day)
  const registrations = given.registrations ?? (is_own ? null : sold_by.registrations)
  const { establishments, small_business, over_eu_threshold, global_turnover } = given
  return {
    seller: {
      ...statedAddress(given),
      ...(registrations && { registrations: [...registrations] }),
      ...(establishments && { establishments }),
      ...(small_business !== undefined && { small_business }),
      ...(over_eu_threshold !== undefined && { over_eu_threshold }),
      ...(global_turnover && { global_turnover }),
    },
  }
}

function statedAddress({ country, region, city, postal_code }: Address) {
  return {
    country,
    ...(region && { region }),
    ...(city && { city }),
    ...(postal_code && { postal_code }),
  }
}

/**
 * A line that pays for no supply says so itself. `apart`: somebody pays for a discount of a line, but not for
 * its share in the discount of the whole sale.
 */
function statedOfLine(
  { taxable, supply, live, business_only, discount }: AskedLine,
  apart: boolean,
): Answer<typeof StatedOfLine> {
  return {
    ...(apart && { discount }),
    ...(!taxable && supply && { taxable: false as const }),
    ...(live && { live: true as const }),
    ...(business_only && { business_only: true as const }),
  }
}
