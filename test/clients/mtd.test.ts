import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient } from '../../client/src/client.ts'
import { runCommand } from '../../client/src/cli/command.ts'
import { type HmrcServer, serveHmrc } from '../support/hmrc-server.ts'
import { runningService } from '../support/running-service.ts'

let hmrc: HmrcServer
beforeAll(async () => {
  hmrc = await serveHmrc()
})
afterAll(() => hmrc?.close())

/** The quarter before that of a day: its name, its first and its last day. */
function quarterBefore(now: Date): { period: string; start: string; end: string } {
  const first = Math.floor(now.getUTCMonth() / 3) * 3
  const day = (month: number, date: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), month, date)).toISOString().slice(0, 10)
  const start = day(first - 3, 1)
  const period = `${start.slice(0, 4)}-Q${(Number(start.slice(5, 7)) + 2) / 3}`
  return { period, start, end: day(first, 0) }
}

it('a filed British return goes to HMRC as the service wrote it, and has the receipt afterwards', async () => {
  const { origin, key } = runningService()
  const tax = createClient({ baseUrl: origin, apiKey: key })
  const { period, start, end } = quarterBefore(new Date())
  await tax.account.update({ country: 'GB', time_zone: 'Europe/London' })
  await tax.registrations.create({ jurisdiction_id: 'GB', valid_from: start })
  await tax.transactions.create({
    external_id: 'mtd-1',
    currency: 'GBP',
    transaction_date: end,
    customer: { address: { country: 'GB' } },
    line_items: [{ amount: 100_150, product_type: 'saas', tax_amount: 20_030 }],
  })
  const { id } = await tax.returns.create({
    type: 'uk_vat100',
    period,
    inputs: { boxes: { '2': 0, '4': 12_345, '7': 100_099, '9': 0 } },
    submission: { state: 'reviewed', note: 'Checked by Ann' },
  })
  hmrc.obligations = [{ start, end, due: end, status: 'O', periodKey: '#001' }]
  hmrc.now = new Date().toISOString()
  const said: string[] = []
  const run = (...args: string[]) =>
    runCommand(
      ['mtd', 'submit', id, ...args],
      {
        TAX_API_KEY: key,
        TAX_API_URL: origin,
        HMRC_ACCESS_TOKEN: hmrc.token,
        HMRC_VRN: hmrc.vrn,
        XDG_CONFIG_HOME: mkdtempSync(join(tmpdir(), 'mtd-')),
      },
      {
        out: (text) => said.push(text),
        error: (text) => said.push(text),
        fetch: (request) =>
          fetch(new Request(request.url.replace('https://api.service.hmrc.gov.uk', hmrc.origin), request)),
      },
    )
  expect(await run(), said.join('\n')).toBe(0)
  expect(hmrc.returns).toEqual([])
  expect(await run('--declare'), said.join('\n')).toBe(0)
  expect(hmrc.faults).toEqual([])
  expect(hmrc.returns.map((each) => JSON.parse(each))).toMatchObject([
    { periodKey: '#001', vatDueSales: 200.3, vatReclaimedCurrPeriod: 123.45, netVatDue: 76.85 },
  ])
  const { submission } = await tax.returns.get(id)
  expect(submission).toMatchObject({
    state: 'filed',
    number: '256660290587',
    day: hmrc.now.slice(0, 10),
    note: expect.stringMatching(/^Checked by Ann\nHMRC has the return: form bundle 256660290587, received /),
  })
  expect(await run('--declare')).toBe(2)
  expect(said.at(-1)).toContain(`${id} is at HMRC already: 256660290587`)
  expect(hmrc.returns).toHaveLength(1)
})
