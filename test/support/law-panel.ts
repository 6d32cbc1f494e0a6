import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import gaps from '../../data/us-local/gaps.csv?raw'
import jurisdictions from '../../data/us-local/jurisdictions.csv?raw'
import main_cities from '../../data/us-local/main-cities.csv?raw'
import own_taxes from '../../data/us-local/own-taxes.csv?raw'
import states from '../../data/us-local/states.json?raw'
import zip_counties from '../../data/us-local/zip-counties.csv?raw'
import { applyLocalData } from '../../scripts/shipped-data/apply-local-data.ts'
import { localDataOf } from '../../scripts/shipped-data/local-data.ts'
import { newAccount } from './account.ts'
import { onDay, type PanelCase, unmetBy } from './panel-cases.ts'
import { call } from './service.ts'
import { loadTestData } from './service-data.ts'

type PanelRun = {
  /** The day on which the panel asked. */
  day: string
  /** What cases expect in place of what the file says, by their ids. */
  instead: Readonly<Record<string, PanelCase['expect']>>
}

/** Tests the cases of a panel of specialists with the shipped data, each with its source in the file. */
export async function testPanel(cases: unknown, { day, instead }: PanelRun): Promise<void> {
  await loadTestData()
  const now = new Date('2026-11-20T00:00:00Z')
  const files = { states, jurisdictions, zip_counties, own_taxes, gaps, main_cities }
  await applyLocalData(env, localDataOf(files, now.toISOString()), now)
  const { key } = await newAccount({ tier: 'enterprise' })
  it.each((cases as PanelCase[]).map((each) => [each.id, each.why, each] as const))(
    '%s: %s',
    async (id, _why, { request, expect: asked }) => {
      const { method, path, body } = onDay(request, day)
      const answer = await call(method, path, { key, ...(body !== undefined && { body }) })
      expect(answer.status, answer.text).toBe(200)
      expect(unmetBy(answer.body, instead[id] ?? asked), answer.text).toEqual([])
    },
  )
}
