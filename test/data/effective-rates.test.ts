import { describe, expect, it } from 'vitest'
import { readFacts } from '../../scripts/read-facts.ts'
import { dayAfter, dayBefore } from '../../src/platform/kit/calendar.ts'
import { PRODUCT_TYPES, type SupplyKind } from '../../src/engine/book/product-types.ts'
import { treatProduct } from '../../src/engine/book/product-rules.ts'
import { atStart, placeInSentence } from '../../src/engine/book/names.ts'
import type { LayerTreatment } from '../../src/engine/book/layer.ts'
import { findRate, lineage, openRateBook, productRules } from '../../src/engine/book/rate-book.ts'
import type { Region } from '../../src/engine/book/regions.ts'
import { lawOfRegion } from '../../src/engine/regimes/list.ts'
import { isUncertain, notesOn } from '../../src/engine/terms/rule-status.ts'
import { lacksRegion, placeOfJurisdiction } from '../../src/engine/supply/place.ts'

const book = openRateBook(readFacts())

/**
 * The first day for which the shipped rules were checked, by region (data/README.md). Where digital services
 * from abroad alone are covered: the first day on which they are taxed.
 */
const checkedFrom = (region: Region) => {
  if (region === 'EU' || region === 'UK') return '2015-01-01'
  const since = book.countries.get(region)?.law?.since ?? ''
  return since > '2018-06-21' ? since : '2018-06-21'
}

/** Whether a kind of product is covered in a region at all. */
const isSold = (region: Region, kind: SupplyKind) => lawOfRegion(book, region).sells?.includes(kind) !== false

/**
 * Days without a rule, for want of a source. CY: whether e-books bore 19 or 5 % before the law of
 * 2023-07-21 is not on record (data/README.md).
 */
const DEFAULT_DAYS = ['CY ebooks 2015-01-01', 'CY ebooks 2016-01-01', 'CY ebooks 2023-05-05']

/** Types that some laws split from these twenty may be taxed by the rule of the broader type, with a note. */
const TWENTY: readonly string[] = PRODUCT_TYPES.slice(0, 20).map(({ id }) => id)

/** SI: the printed press did move, with the label, to the new rate of 5 %. */
const MOVED_WITH_THEIR_LABEL = ['SI newspapers 2020-01-01', 'SI magazines 2020-01-01']

/** JP: the general rate rose to 10 %, and the rate before became the reduced one (Act 68 of 2012). */
const ROSE_IN_JAPAN = /^JP \w+ 2019-10-01$/

/** Places that are taxed: those with a standard rate, but no country whose states or provinces are taxed. */
const PLACES = book.facts.jurisdictions.filter(({ id }) => {
  const place = placeOfJurisdiction(book, id)
  return (
    place !== null &&
    place.covered &&
    !lacksRegion(book, place) &&
    place.taxes.every(({ jurisdiction_id }) => book.rates.has(jurisdiction_id))
  )
})

/** The days since the first checked one on which a record of the place may change what a product bears. */
function turningDays(id: string, product_type: string, from: string): string[] {
  const days = new Set([from])
  for (const layer of placeOfJurisdiction(book, id)?.taxes ?? []) {
    const rates = lineage(book, layer.jurisdiction_id).flatMap((each) => book.rates.get(each) ?? [])
    const rules = lineage(book, layer.rules_from).flatMap((each) => productRules(book, each, product_type))
    for (const { effective_from, effective_to } of [...rates, ...rules]) {
      if (effective_from !== null && effective_from > from) days.add(effective_from)
      if (effective_to !== null && effective_to >= from) days.add(dayAfter(effective_to))
    }
  }
  return [...days].toSorted()
}

/**
 * Turning days that have no rate, because the law ends the rate and what follows is not on file: a calculation
 * is refused. CH, LI: the rate of lodging ends with 2027 (MWSTG, Art. 25 (4)).
 */
const REFUSED_DAYS = ['CH', 'LI'].flatMap((id) => [
  `${id} accommodation 2028-01-01`,
  `${id} camping 2028-01-01`,
])

type Treated = { id: string; product_type: string; day: string; layers: LayerTreatment[] }

/** How each product is treated at each place from each of its turning days on. */
function* treated(business: boolean): Generator<Treated> {
  for (const { id, region } of PLACES)
    for (const { id: product_type, kind } of PRODUCT_TYPES)
      for (const day of isSold(region, kind) ? turningDays(id, product_type, checkedFrom(region)) : []) {
        if (REFUSED_DAYS.includes(`${id} ${product_type} ${day}`)) continue
        const layers = treatProduct(
          book,
          placeOfJurisdiction(book, id)?.taxes ?? [],
          product_type,
          business,
          day,
        )
        yield { id, product_type, day, layers }
      }
}

const nameOf = ({ id, product_type, day }: Treated) => `${id} ${product_type} ${day}`

describe.each([
  ['a consumer', false],
  ['a business', true],
])('what %s pays, day by day', (_, business) => {
  const all = [...treated(business)]

  it('is computed for every place and product', () => {
    expect(PLACES.length).toBeGreaterThan(100)
    expect(all.length).toBeGreaterThan(PLACES.length * PRODUCT_TYPES.length)
  })

  it('rests on a rule: no tax of a place is charged by default', () => {
    const defaults = all.filter(
      ({ layers, product_type }) =>
        TWENTY.includes(product_type) && layers.some(({ by_default }) => by_default),
    )
    expect(defaults.map(nameOf)).toEqual(DEFAULT_DAYS)
  })

  it('is refused after the last day of a rate that ends by law', () => {
    for (const refused of REFUSED_DAYS) {
      const [id = '', product_type = '', day = ''] = refused.split(' ')
      const taxes = placeOfJurisdiction(book, id)?.taxes ?? []
      expect(() => treatProduct(book, taxes, product_type, business, day)).toThrow(/ends on .* by law/)
      expect(treatProduct(book, taxes, product_type, business, dayBefore(day))).toHaveLength(taxes.length)
    }
  })

  it('says so if it rests on no rule, and only then', () => {
    const untold = all.filter((each) => each.layers.some(({ by_default }) => by_default) !== saysNoRule(each))
    expect(untold.map(nameOf)).toEqual([])
  })

  it('says so if a rule is not certain', () => {
    const untold = all.filter((each) => each.layers.some(isDoubted) && !saysDoubt(each))
    expect(untold.map(nameOf)).toEqual([])
  })

  it('follows no label that moved to another figure under a rule', () => {
    const moved = all.filter(({ layers, day }) => layers.some((layer) => isMovedLabel(layer, day)))
    const names = moved.map(nameOf).filter((name) => !ROSE_IN_JAPAN.test(name))
    expect(names).toEqual(MOVED_WITH_THEIR_LABEL)
  })
})

function saysNoRule({ layers, day }: Treated): boolean {
  return notesOn(book, layers, day).some((note) => note.startsWith('No rule in the data for'))
}

function isDoubted({ rule }: LayerTreatment): boolean {
  return rule !== null && isUncertain(rule)
}

function saysDoubt({ layers, day }: Treated): boolean {
  return layers
    .filter(isDoubted)
    .every((layer) =>
      notesOn(book, [layer], day).some((note) =>
        note.startsWith(`${atStart(placeInSentence(book, layer.layer.jurisdiction_id))}: `),
      ),
    )
}

/**
 * Whether the label of a rule got another figure on a day although the rule was in force before, and another
 * label of the place goes on with the former figure: then the product's rate did not change, its label did.
 */
function isMovedLabel({ rule, rate, layer }: LayerTreatment, day: string): boolean {
  if (rule === null || rate === null || rule.category === null || rate.effective_from !== day) return false
  const before = dayBefore(day)
  if (rule.effective_from !== null && rule.effective_from > before) return false
  const former = findRate(book, rate.jurisdiction_id, layer.tax_type, rule.category, before)?.rate_millionths
  if (former === undefined || former === rate.rate_millionths) return false
  const others = (book.rates.get(rate.jurisdiction_id) ?? []).filter(
    (each) =>
      each.tax_type === layer.tax_type &&
      each.category !== rule.category &&
      each.rate_millionths === former &&
      each.effective_from === day,
  )
  return others.length > 0
}

describe('product rules', () => {
  it('state the rate that is in force on their last day', () => {
    const wrong = book.facts.product_rules.filter((rule) => {
      const { effective_to, category, jurisdiction_id, rate_millionths } = rule
      if (category === null || rate_millionths === null || effective_to === null) return false
      const owner = lineage(book, jurisdiction_id).find((id) =>
        findRate(book, id, rule.tax_type, category, effective_to),
      )
      if (owner === undefined) return rule.tax_type !== 'HST' || category !== 'zero'
      return findRate(book, owner, rule.tax_type, category, effective_to)?.rate_millionths !== rate_millionths
    })
    expect(wrong.map(({ id }) => id)).toEqual([])
  })

  it('end only if another one follows, or what they are about ends', () => {
    const open = book.facts.product_rules.filter(
      (rule) =>
        rule.effective_to !== null &&
        rule.customer_type === 'all' &&
        !productRules(book, rule.jurisdiction_id, rule.product_type).some(
          (next) =>
            next.tax_type === rule.tax_type && next.effective_from === dayAfter(rule.effective_to ?? ''),
        ),
    )
    expect(open.map(({ id, effective_to }) => `${id} ends ${effective_to}`)).toEqual([])
  })
})
