import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import gaps from '../../../data/us-local/gaps.csv?raw'
import jurisdictions from '../../../data/us-local/jurisdictions.csv?raw'
import main_cities from '../../../data/us-local/main-cities.csv?raw'
import own_taxes from '../../../data/us-local/own-taxes.csv?raw'
import states from '../../../data/us-local/states.json?raw'
import zip_counties from '../../../data/us-local/zip-counties.csv?raw'
import { applyLocalData } from '../../../scripts/shipped-data/apply-local-data.ts'
import { localDataOf } from '../../../scripts/shipped-data/local-data.ts'
import real from '../../engine/oracles/real.json'
import { newShop } from '../../interfaces/taxjar/asking.ts'
import { call, send } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

/** Requests in their order, and what fields of their answers must be. */
type Case = {
  id: string
  why: string
  kind: 'api' | 'taxjar' | 'plugin' | 'client' | 'manual'
  requests: { method: string; path: string; body?: Record<string, unknown> | null }[]
  expect: { step: number; path: string; equals: unknown }[]
}

/** The day on which the cases were written: a sale without a day of its own would bear other taxes later. */
const DAY = '2026-11-26'

await loadTestData()
const now = new Date('2026-11-20T00:00:00Z')
await applyLocalData(
  env,
  localDataOf({ states, jurisdictions, zip_counties, own_taxes, gaps, main_cities }, now.toISOString()),
  now,
)
const shop = { profile: { country: 'US', region: 'OK', postal_code: '73102' } }
const { key } = await newShop({ ...shop, registrations: ['US-NY'] })

const SERVED = (real as Case[]).filter(({ kind }) => kind === 'api' || kind === 'taxjar')

/** Public reports on shops and checkouts, each with its source in the file. */
it.each(SERVED.map((each) => [each.id, each] as const))('%s', async (_, asked) => {
  const unmet = await unmetOf(asked)
  expect(unmet, asked.why).toEqual([])
})

/** The fields that differ from what is expected, with the answers. */
async function unmetOf(asked: Case): Promise<object[]> {
  const answers: Record<string, unknown>[] = []
  const unique = crypto.randomUUID()
  for (const { method, path, body } of asked.requests) {
    const fill = (text: string) =>
      text.replaceAll(/\{\{([^}]*)\}\}/g, (_, name: string) =>
        name === 'u' ? unique : String(fieldAt(answers, name)),
      )
    const filled = body ? JSON.parse(fill(JSON.stringify(body))) : undefined
    const sent = { key, ...(filled !== undefined && { body: onDay(path, filled) }) }
    const { status, body: answered } = await (asked.kind === 'api' ? call : send)(method, fill(path), sent)
    answers.push({ ...answered, status_code: status })
  }
  return asked.expect.flatMap(({ step, path, equals }) => {
    const found = fieldAt(answers, `${step}.${path}`)
    return Object.is(found, equals) ? [] : [{ path: `${step}.${path}`, equals, found, answer: answers[step] }]
  })
}

function onDay(path: string, body: Record<string, unknown>): Record<string, unknown> {
  return path === '/v1/calculate' ? { transaction_date: DAY, ...body } : body
}

/** `0.line_items.2.id` of the answers. */
function fieldAt(answers: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((found, name) => (found as Record<string, unknown> | undefined)?.[name], answers)
}
