import { env } from 'cloudflare:workers'
import { partOfBoundaries, partOfState } from '../../../src/tax-data/records/local-parts.ts'
import { writeLocalParts } from '../../../src/tax-data/records/write-local-parts.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'
import { LAW, placeOf } from '../../support/local-data.ts'

/** Local taxes of one place in each of these states, with the law of the state on the price of an item. */
const STATES = [
  {
    state: 'FL',
    zip: '33130',
    code: '086',
    name: 'Miami-Dade County',
    rate: 10_000,
    law: { item_cap: 500_000 },
  },
  {
    state: 'TN',
    zip: '37201',
    code: '52006',
    name: 'Nashville',
    rate: 22_500,
    law: { item_cap: 160_000, single_article: { rate_millionths: 27_500, up_to: 320_000 } },
  },
  {
    state: 'MO',
    zip: '63101',
    code: '65000',
    name: 'St. Louis',
    rate: 54_540,
    law: { sourcing: 'origin', zips_whole: true },
  },
] as const

/** States of other carts, whose local taxes the shop without the service has to take too. */
const WITHOUT_PLACES = ['CA', 'MA', 'MN', 'TX']

/** Writes them into the database of the test. */
export async function writeLocalTaxes(): Promise<void> {
  const at = '2026-09-01T00:00:00.000Z'
  const parts = STATES.flatMap(({ state, zip, code, name, rate, law }) => {
    const jurisdiction = { ...placeOf(state, code, name, rate), zips: [zip] }
    return [
      partOfState(state, { law: { ...LAW, ...law }, jurisdictions: [jurisdiction], read_at: at }),
      partOfBoundaries(state, [{ from: '2026-01-01', stacks: [[jurisdiction.id]], zips: { [zip]: [0] } }]),
    ]
  })
  const others = WITHOUT_PLACES.map((state) =>
    partOfState(state, { law: LAW, jurisdictions: [], read_at: at }),
  )
  await writeLocalParts(env, [...parts, ...others], new Date(at))
  forgetAll()
}
