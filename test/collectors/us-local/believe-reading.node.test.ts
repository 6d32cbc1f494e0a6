import { describe, expect, it } from 'vitest'
import { believe, refuseMissedAnchors } from '../../../collectors/us-local/believe-reading.ts'
import { BoundaryReader } from '../../../collectors/us-local/boundary-file.ts'
import { ratedCodes, unfiledTaxes } from '../../../collectors/us-local/read-member.ts'
import type { Known, LocalOptions, StateReading } from '../../../collectors/us-local/state-reading.ts'
import { readLocalData } from '../../../scripts/read-local-data.ts'
import { openLocalBook } from '../../../src/engine/regimes/us-local/local-book.ts'
import { localTaxAt } from '../../../src/engine/regimes/us-local/local-tax-at.ts'
import { invariant } from '../../../src/engine/ground/invariant.ts'
import { zipRecord } from './boundary-records.ts'

const DAY = '2026-10-20'
const data = readLocalData('test')
const OPTIONS: LocalOptions = { now: new Date(`${DAY}T05:00:00Z`), addresses: {}, boundaries: true }

function knownOf(state: string, state_rate: number): Known {
  const jurisdictions = data.jurisdictions.filter((each) => each.state === state)
  const law = invariant(data.states[state] ?? null, 'the state is in the data')
  const before = { law, jurisdictions, read_at: '2026-09-01T00:00:00Z' }
  return { state, day: DAY, data, before, state_rate, editions: new Map() }
}

const blank = ({ state, before }: Known): StateReading => ({
  state,
  documents: [],
  before,
  after: null,
  changes: [],
  boundaries: null,
  editions: [],
  faults: [],
  remarks: [],
})

describe('a place of Illinois that becomes one where the address decides', () => {
  const known = knownOf('IL', 62_500)
  const given = known.before.jurisdictions
  const champaign = invariant(given.find(({ name }) => name === 'Champaign') ?? null, 'it is in the data')
  const undecided = [{ name: 'Champaign', county_fips: '17019' }]
  const found = {
    kind: 'list' as const,
    jurisdictions: given.filter(({ id }) => id !== champaign.id),
    undecided,
    odd: [],
    rows: 1_300,
    rows_min: 1_000,
  }
  const at = (reading: StateReading) => {
    const { law, jurisdictions } = invariant(reading.after, 'it was believed')
    const others = data.jurisdictions.filter(({ state }) => state !== 'IL')
    const book = openLocalBook({
      ...data,
      states: { ...data.states, IL: law },
      jurisdictions: [...others, ...jurisdictions],
    })
    const address = { zip5: '61820', zip4: null, city: 'Champaign' }
    return localTaxAt(book, { state: 'IL', address, day: DAY, fallback: null })
  }

  it('keeps a doubt, with the highest rate that may be due', () => {
    const reading = blank(known)
    believe(reading, known, OPTIONS, found)
    const tax = at(reading)
    expect(reading.changes.map(({ name }) => name)).toEqual(['Champaign'])
    expect(tax?.incomplete).toBe(true)
    expect(tax?.notes.join()).toContain('A local tax of Champaign is not in the data')
    expect((tax?.rate_max ?? 0) - (tax?.stack.rate ?? 0)).toBeGreaterThan(0)
    expect(tax?.rate_max).toBeGreaterThanOrEqual(champaign.rates[0]?.rate_millionths ?? 0)
  })

  it('has its rate again when the list has one', () => {
    const reading = blank(known)
    believe(reading, known, OPTIONS, found)
    const after = invariant(reading.after, 'it was believed')
    const next = { ...known, before: { ...after, read_at: '2026-10-20T00:00:00Z' } }
    const again = blank(next)
    believe(again, next, OPTIONS, {
      ...found,
      jurisdictions: given,
      undecided: [{ name: 'Peoria', county_fips: '17143' }],
    })
    expect(at(again)).toMatchObject({ method: 'city_named', incomplete: false })
  })
})

describe('Nashville', () => {
  const known = knownOf('TN', 70_000)
  const { jurisdictions } = known.before
  const rated = ratedCodes(jurisdictions, DAY)
  const read = (unfiled: ReturnType<typeof unfiledTaxes>) => {
    const reader = new BoundaryReader({
      state: 'TN',
      day: DAY,
      rated,
      unfiled,
      city: known.before.law.city,
      url: 'TNB',
    })
    reader.add(`${zipRecord('37203', { state: '47', county: '037', place: '52006' })}\n`)
    reader.add(`${zipRecord('37902', { state: '47', county: '093', place: '40000' })}\n`)
    return {
      ...blank(known),
      after: known.before,
      boundaries: { from: '2026-10-01', found: reader.finish() },
    }
  }

  it('stays 9.75 %, though the file of the state leaves its transit tax out', () => {
    const reading = read(unfiledTaxes(jurisdictions, rated))
    expect(() => refuseMissedAnchors(reading, known, OPTIONS)).not.toThrow()
    expect(reading.boundaries.found.highest).toBe(27_500)
  })

  it('is never made lower by a person who accepts the file', () => {
    const accepting = { ...OPTIONS, accept: true }
    expect(() => refuseMissedAnchors(read(new Map()), known, accepting)).toThrow(
      /gives 9.25 % in Nashville 37203, where a person found 9.75 %; that is right on file/,
    )
  })
})
