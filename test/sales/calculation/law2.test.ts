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
import { newAccount } from '../../support/account.ts'
import { onDay, type PanelCase, unmetBy } from '../../support/panel-cases.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import law2 from '../../engine/oracles/law2.json'

/**
 * Cases that lack a fact which the law asks for. The panel wrote them before the request had a field for it;
 * with the field they hold, and without it the answer tells the doubt.
 */
const WITH_FACT: ReadonlyMap<string, Record<string, unknown>> = new Map<string, Record<string, unknown>>([
  // UStG, s. 12(2) no. 7a: theatre, concerts and museums are reduced, congresses are not.
  ['EU-18', { line_items: [{ product_type: 'conference', amount: 10_000 }] }],
  // Directive 2006/112/EC, art. 30, 32(2), 201: who imports decides, and the request says it only in words.
  ['EU-71', { importer: 'seller' }],
])

/** The day on which the panel asked. */
const DAY = '2026-11-23'

await loadTestData()
const now = new Date('2026-11-20T00:00:00Z')
const files = { states, jurisdictions, zip_counties, own_taxes, gaps, main_cities }
await applyLocalData(env, localDataOf(files, now.toISOString()), now)
const { key } = await newAccount({ tier: 'enterprise' })

/** Cases of a second panel of specialists, each with its source in the file. */
it.each((law2.cases as unknown as PanelCase[]).map((each) => [each.id, each.why, each] as const))(
  '%s: %s',
  async (id, _, { request, expect: wanted }) => {
    const { method, path, body: asked } = onDay(request, DAY)
    const body = asked && { ...asked, ...WITH_FACT.get(id) }
    const answer = await call(method, path, { key, ...(body !== undefined && { body }) })
    expect(answer.status, answer.text).toBe(200)
    expect(unmetBy(answer.body, wanted), answer.text).toEqual([])
  },
)
