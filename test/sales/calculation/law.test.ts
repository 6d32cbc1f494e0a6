import { expect, it } from 'vitest'
import law from '../../engine/oracles/law.json'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

type Case = { id: string; note: string; endpoint?: string; request: object; expect: Record<string, unknown> }
type Line = { taxable: boolean; taxability_reason: string | null }

/**
 * The tax rules came after these cases: a seller that is not registered abroad gets `not_collecting`, the
 * possible tax and the duty, and a note cites the export. CA-063, AU-015 and EU-POS-033 (VOEC of Norway: mval. § 3-1(2)) expect the export alone.
 */
const NOT_COLLECTING = new Map([
  ['CA-063', 'not_collecting'],
  ['EU-POS-033', 'not_collecting'],
  ['AU-015', 'not_collecting'],
])

await loadTestData()
const { key } = await newAccount({ tier: 'enterprise' })

/**
 * Cases of practitioners, each with its source in the file. `reason` and `taxable` of a calculation are those
 * of its first line.
 */
it.each((law as Case[]).map((each) => [each.id, each.note, each] as const))('%s: %s', async (_, __, each) => {
  const answer = await call('POST', each.endpoint ?? '/v1/calculate', { key, body: each.request })
  expect(answer.status, answer.text).toBe(200)
  const [line] = (answer.body['line_items'] as Line[] | undefined) ?? []
  const ofLine = line === undefined ? {} : { taxable: line.taxable, reason: line.taxability_reason }
  const replaced = NOT_COLLECTING.get(each.id)
  const expected = replaced === undefined ? each.expect : { ...each.expect, reason: replaced }
  expect({ ...answer.body, ...ofLine }).toMatchObject(expected)
})
