import type { SourceRequest } from '../collector.ts'
import { alabama } from './lists/alabama.ts'
import { arizona } from './lists/arizona.ts'
import { california } from './lists/california.ts'
import { illinois } from './lists/illinois.ts'
import type { StateList } from './lists/list.ts'
import { texas } from './lists/texas.ts'
import { virginia } from './lists/virginia.ts'

/** States whose list is a printed page: a person keeps it, and the service says when it changed. */
export type WatchedList = {
  state: string
  source: string
  source_url: string
  variable: `SOURCE_${string}`
  request: () => SourceRequest
}

/** Members of the Streamlined Sales Tax Agreement with local taxes, and Tennessee, an associate member. */
export const MEMBER_STATES = 'AR GA IA KS MN NC ND NE NV OH OK SD TN UT VT WA WI WV WY'.split(' ')

/** The part of each county's rate that our rate of the state contains already, millionths. */
export const INCLUDED: Readonly<Record<string, number>> = { NV: 68_500, UT: 12_500 }

/**
 * Districts that tax the whole of a county or city, and that the files of the state leave out. Tennessee
 * charges the transit tax of Nashville since 2025-02-01 and has never filed it.
 */
export const NOT_IN_FILES: ReadonlySet<string> = new Set(['US-TN-D-DAVIDSON-TRANSIT'])

export const DIRECTORIES = {
  source: 'Streamlined Sales Tax Governing Board, rate and boundary files of the member states',
  rates: {
    url: 'https://www.streamlinedsalestax.org/ratesandboundry/Rates/',
    variable: 'SOURCE_US_LOCAL_RATES',
  },
  boundaries: {
    url: 'https://www.streamlinedsalestax.org/ratesandboundry/Boundary/',
    variable: 'SOURCE_US_LOCAL_BOUNDARIES',
  },
} as const

export const LISTS: readonly StateList[] = [alabama, arizona, california, illinois, texas, virginia]

const PDF = 'application/pdf, application/octet-stream'

export const WATCHED: readonly WatchedList[] = [
  {
    state: 'FL',
    source: 'Florida Department of Revenue, DR-15DSS',
    source_url: 'https://floridarevenue.com/taxes/taxesfees/Pages/discretionary.aspx',
    variable: 'SOURCE_US_LOCAL_FL',
    request: () => ({
      url: 'https://floridarevenue.com/Forms_library/current/dr15dss.pdf',
      accept: PDF,
    }),
  },
  {
    state: 'NY',
    source: 'New York Department of Taxation and Finance, Publication 718',
    source_url: 'https://www.tax.ny.gov/pubs_and_bulls/publications/sales/pub718.htm',
    variable: 'SOURCE_US_LOCAL_NY',
    request: () => ({
      url: 'https://www.tax.ny.gov/pdf/publications/sales/pub718.pdf',
      accept: PDF,
    }),
  },
  {
    state: 'SC',
    source: 'South Carolina Department of Revenue, ST-575',
    source_url: 'https://dor.sc.gov/tax/sales',
    variable: 'SOURCE_US_LOCAL_SC',
    request: () => ({ url: 'https://dor.sc.gov/sites/dor/files/forms/ST575.pdf', accept: PDF }),
  },
]

/** The states that are read, each by a message of its own. */
export const COLLECTED_STATES: readonly string[] = [
  ...MEMBER_STATES,
  ...LISTS.map(({ state }) => state),
  ...WATCHED.map(({ state }) => state),
].toSorted()
