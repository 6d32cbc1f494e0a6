import type { RateCategory } from '../src/engine/book/facts.ts'

/** A rate below the standard rate: its name on file and its value in millionths. */
export type Band = { category: RateCategory; rate: number }

/** A band that was found. With a doubt, it decides nothing by itself. */
type Match = Band & { doubt?: string }

/** The bands below the standard rate, in the order in which a new one is named. */
export const BANDS = ['reduced', 'reduced_2', 'super_reduced', 'parking'] as const

/** Below 5 % there are only super-reduced rates: Directive 2006/112/EC, art. 98(2) and 110. */
const SUPER_REDUCED_BELOW = 50_000
/** 3 points. If a band seems to move by more, it may be two bands, of which one ended and one began. */
const MOVE_MAX = 30_000

/**
 * The bands of a state, found again by their values and never by their order. A band that moved a little and
 * passed no other one has its new value. Bands that vanished or appeared carry a doubt. A parking rate that
 * is not on file is ignored if another band has its value: it is only another name. Pure; millionths.
 */
export function matchBands(
  known: readonly Band[],
  found: { reduced: readonly number[]; parking: readonly number[] },
): Match[] {
  const isParking = ({ category }: Band) => category === 'parking'
  const values = new Set(known.map(({ rate }) => rate))
  const lost = known.filter((band) =>
    isParking(band)
      ? ![...found.parking, ...found.reduced].includes(band.rate)
      : !found.reduced.includes(band.rate),
  )
  const kept = known.filter((band) => !lost.includes(band))
  const appeared = [...new Set([...found.reduced, ...found.parking])].filter((rate) => !values.has(rate))
  const moved = moveOf(lost, appeared, kept)
  if (moved !== null) return [...kept, moved]
  return [
    ...kept,
    ...lost.map((band) => ({ ...band, doubt: `no row has the rate of ${band.rate / 10_000} % any more` })),
    ...appeared.map((rate) => ({
      category: nameFor(rate, known),
      rate,
      doubt: `the band of ${rate / 10_000} % is not on file`,
    })),
  ]
}

/** The one band that vanished, with the one value that appeared, if the second follows from the first. */
function moveOf(lost: readonly Band[], appeared: readonly number[], kept: readonly Band[]): Match | null {
  const [band, another] = lost
  const [rate, further] = appeared
  if (band === undefined || rate === undefined || another !== undefined || further !== undefined) return null
  const [low, high] = [Math.min(band.rate, rate), Math.max(band.rate, rate)]
  const passed = kept.some((each) => each.rate > low && each.rate < high)
  return high - low > MOVE_MAX || passed ? null : { category: band.category, rate }
}

/** The name for a band that appeared: a free one, or that of the nearest band. */
function nameFor(rate: number, known: readonly Band[]): RateCategory {
  if (rate < SUPER_REDUCED_BELOW) return 'super_reduced'
  const free = (['reduced', 'reduced_2'] as const).find((name) =>
    known.every(({ category }) => category !== name),
  )
  const nearest = known
    .filter(({ category }) => category === 'reduced' || category === 'reduced_2')
    .toSorted((a, b) => Math.abs(a.rate - rate) - Math.abs(b.rate - rate))[0]
  return free ?? nearest?.category ?? 'reduced'
}
