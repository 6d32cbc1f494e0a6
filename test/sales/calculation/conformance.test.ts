import { exports } from 'cloudflare:workers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import arithmetic from '../../conformance/arithmetic.json'
import law from '../../conformance/law.json'
import { parseCases } from '../../../scripts/arithmetic-cases.ts'
import type { Adapter, CaseRequest } from '../../../scripts/conformance/adapter.ts'
import { arithmeticSales } from '../../../scripts/conformance/arithmetic-sales.ts'
import { type Deck, parseDeck } from '../../../scripts/conformance/deck.ts'
import { ownAdapter } from '../../../scripts/conformance/own-adapter.ts'
import { type LawResult, runDeck } from '../../../scripts/conformance/run-deck.ts'
import { taxjarAdapter } from '../../../scripts/conformance/taxjar-adapter.ts'
import { writeNewYorkCity } from '../../support/local-data.ts'
import { newAddress } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { newAccount } from '../../support/account.ts'
import { newShop } from '../../interfaces/taxjar/asking.ts'

await loadTestData()
await writeNewYorkCity()

async function resultsOf(deck: Deck, adapter: Adapter, key: string): Promise<LawResult[]> {
  const send = async ({ method, path, body }: CaseRequest) => {
    const response = await exports.default.fetch(`https://service.test${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        'CF-Connecting-IP': newAddress(),
        ...adapter.headers(key),
      },
      body: JSON.stringify(body),
    })
    return { status: response.status, text: await response.text() }
  }
  const results: LawResult[] = []
  for await (const result of runDeck(deck, adapter, send)) results.push(result)
  return results
}

const wrongOf = (results: readonly LawResult[]) => results.filter(({ ok }) => ok === false)
const sums = arithmeticSales(parseCases(JSON.stringify(arithmetic))).deck

describe('the conformance deck', () => {
  it('is answered rightly by this service, each case of law', async () => {
    const { key } = await newAccount()
    const results = await resultsOf(parseDeck(law), ownAdapter, key)
    expect(wrongOf(results)).toEqual([])
    expect(results.filter(({ ok }) => ok !== true)).toEqual([])
  })

  it('is answered rightly by this service, each case of arithmetic with a place', async () => {
    const { key } = await newAccount()
    const results = await resultsOf(sums, ownAdapter, key)
    expect(wrongOf(results)).toEqual([])
    expect(results.length).toBeGreaterThan(14)
  })

  it('is answered rightly in the form of TaxJar, as far as it can be asked', async () => {
    // This form has no date: the cases are those of the law on the day of the deck.
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T12:00:00Z') })
    onTestFinished(() => void vi.useRealTimers())
    const { key } = await newShop({ taxjar: { accept_state_only: true } })
    const results = await resultsOf(parseDeck(law), taxjarAdapter, key)
    expect(wrongOf(results)).toEqual([])
    expect(results.filter(({ ok }) => ok === true).length).toBeGreaterThan(20)
    const others = await resultsOf(sums, taxjarAdapter, key)
    expect(wrongOf(others)).toEqual([])
    expect(others.filter(({ ok }) => ok === true).map(({ id }) => id)).toContain('SST-1')
  })
})
