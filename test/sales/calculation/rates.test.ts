import { expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()
const { key } = await newAccount({ tier: 'enterprise' })

const notesOf = async (query: string) => (await call('GET', `/v1/rates?${query}`, { key })).body['notes']

it('says of a place without rates which part of it has some', async () => {
  expect(await notesOf('jurisdiction=US')).toEqual([
    expect.stringMatching(/^United States has no rate of its own: ask for a part of it, such as US-\w\w \(/),
  ])
})

it('says of a day before the law that no rate is in force, and nothing if there are rates', async () => {
  expect(await notesOf('jurisdiction=FR&date=1900-01-01')).toEqual([
    'No rate of France is in force on 1900-01-01, as far as the data says',
  ])
  expect(await notesOf('jurisdiction=FR')).toEqual([])
})

it('says of a list of thresholds that it is empty because none is in the data for the question', async () => {
  const ask = async (query: string) => (await call('GET', `/v1/thresholds?${query}`, { key })).body
  expect(await ask('jurisdiction=FR&date=1900-01-01')).toMatchObject({
    total: 0,
    notes: ['No threshold in the data fits this question on 1900-01-01'],
  })
  expect(await ask('region=EU')).toMatchObject({ notes: [] })
})
