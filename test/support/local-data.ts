import { env } from 'cloudflare:workers'
import { partOfBoundaries, partOfState } from '../../src/tax-data/records/local-parts.ts'
import { writeLocalParts } from '../../src/tax-data/records/write-local-parts.ts'
import type { LocalJurisdiction, LocalState } from '../../src/engine/regimes/us-local/local-book.ts'
import { forgetAll } from '../../src/platform/kit/memory.ts'

const place = (type: 'county' | 'city', code: string, name: string, rate: number): LocalJurisdiction => ({
  ...placeOf('KS', code, name, rate),
  type,
  county_fips: type === 'county' ? `20${code}` : null,
})

export const placeOf = (state: string, code: string, name: string, rate: number): LocalJurisdiction => ({
  id: `US-${state}-${code}`,
  state,
  type: 'city',
  code,
  name,
  county_fips: null,
  rates: [{ rate_millionths: rate, from: null, to: null }],
  also: [],
  zips: [],
  source: 'file of the state',
  as_of: '2026-10-03',
})

/** A state whose local taxes follow the destination, and whose cities add to their county. */
export const LAW = {
  coverage: 'local',
  city: 'adds',
  zip5: 'lowest',
  sourcing: 'destination',
  cap_millionths: null,
  zips_whole: false,
} as const satisfies LocalState

/** Texas and Alabama, each with one rate for sellers from elsewhere, and without cities. */
export async function writeRemoteSellerRates(): Promise<void> {
  const option = {
    name: 'one rate',
    from: '2019-10-01',
    marketplaces: false,
    source: 'law',
    as_of: '2026-10-03',
  }
  const parts = [
    { state: 'TX', scheme: 'tx_single_local', rate_millionths: 17_500, levied_as: null },
    { state: 'AL', scheme: 'al_ssut', rate_millionths: 80_000, levied_as: 'SIMPLIFIED_SELLERS_USE_TAX' },
  ] as const
  await writeLocalParts(
    env,
    parts.map(({ state, ...chosen }) =>
      partOfState(state, {
        law: { ...LAW, remote_seller_rate: { ...option, ...chosen } },
        jurisdictions: [],
        read_at: null,
      }),
    ),
    new Date('2026-09-02T00:00:00.000Z'),
  )
  forgetAll()
}

/** Local taxes of New York City, at 10001: 4.5 % of the city and 0.375 % of the transport district. */
export async function writeNewYorkCity(): Promise<void> {
  const jurisdictions = [
    placeOf('NY', '51000', 'New York City', 45_000),
    { ...placeOf('NY', 'MCTD', 'Transport district', 3_750), type: 'district' as const },
  ]
  const at = '2026-09-01T00:00:00.000Z'
  const stacks = [jurisdictions.map(({ id }) => id)]
  await writeLocalParts(
    env,
    [
      partOfState('NY', { law: LAW, jurisdictions, read_at: at }),
      partOfBoundaries('NY', [{ from: '2026-01-01', stacks, zips: { '10001': [0] } }]),
    ],
    new Date(at),
  )
  forgetAll()
}

/** Local taxes of Kansas: 66604 is Topeka in Shawnee County (1.5 % and 1.35 %), 66409 the county alone. */
export async function writeKansas(): Promise<void> {
  const jurisdictions = [
    place('county', '177', 'Shawnee County', 13_500),
    place('city', '71000', 'Topeka', 15_000),
  ]
  const stacks = [['US-KS-177'], ['US-KS-177', 'US-KS-71000']]
  const at = '2026-09-01T00:00:00.000Z'
  const zips = { '66604': [1], '66409': [0] }
  await writeLocalParts(
    env,
    [
      partOfState('KS', { law: LAW, jurisdictions, read_at: at }),
      partOfBoundaries('KS', [{ from: '2026-01-01', stacks, zips }]),
    ],
    new Date(at),
  )
  forgetAll()
}
