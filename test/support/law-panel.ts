import { expect, it } from 'vitest'
import { newAccount } from './account.ts'
import { onDay, type PanelCase, unmetBy } from './panel-cases.ts'
import { call } from './service.ts'
import { loadTestData } from './service-data.ts'
import { loadShippedLocalTaxes } from './shipped-local-taxes.ts'

type PanelRun = {
  /** The day on which the panel asked. */
  day: string
  /** What cases expect in place of what the file says, by their ids. */
  instead: Readonly<Record<string, PanelCase['expect']>>
}

/** Tests the cases of a panel of specialists with the shipped data, each with its source in the file. */
export async function testPanel(cases: unknown, { day, instead }: PanelRun): Promise<void> {
  await loadTestData()
  await loadShippedLocalTaxes()
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
