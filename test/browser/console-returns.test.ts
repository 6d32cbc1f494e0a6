import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleTest, plain, startConsole } from './console.ts'

let console_test: ConsoleTest

/** The last quarter that has ended, and a day in its last month. */
function lastQuarter(now: Date) {
  const begin = new Date(Date.UTC(now.getUTCFullYear(), Math.floor(now.getUTCMonth() / 3) * 3 - 3, 1))
  const [year, month] = [begin.getUTCFullYear(), begin.getUTCMonth()]
  const dayOf = (months: number) => new Date(Date.UTC(year, month + months, 2)).toISOString().slice(0, 10)
  return { words: `Q${month / 3 + 1} ${year}`, first: dayOf(0), day: dayOf(2) }
}

const QUARTER = lastQuarter(new Date())

/** A German seller in the One Stop Shop, with sales to France, Austria and Germany in the last quarter. */
async function fill(): Promise<void> {
  const { api } = console_test
  await api('PUT', '/v1/account', { country: 'DE', time_zone: 'UTC', vat_id: 'DE136695976' })
  for (const place of [{ jurisdiction_id: 'FR' }, { jurisdiction_id: 'DE' }, { scheme: 'oss_union' }])
    await api('POST', '/v1/registrations', { ...place, valid_from: QUARTER.first })
  for (const [country, amount] of [
    ['FR', 10_000],
    ['AT', 20_000],
    ['DE', 30_000],
  ] as const)
    await api('POST', '/v1/transactions', {
      external_id: `to-${country}`,
      currency: 'EUR',
      transaction_date: QUARTER.day,
      customer: { address: { country } },
      seller: { country: 'DE', registrations: ['DE', 'oss_union'] },
      line_items: [{ amount, product_type: 'saas' }],
    })
}

beforeAll(async () => {
  console_test = await startConsole()
  await fill()
})

afterAll(() => console_test?.close())

describe('a finance person, by clicks alone,', () => {
  it('checks, downloads, files and reopens the return of the One Stop Shop', async () => {
    const { page, faults } = await console_test.signedIn()
    await page.getByRole('link', { name: 'Returns', exact: true }).click()
    const listed = page.getByRole('navigation', { name: 'Returns' })
    const own = listed.getByRole('link', { name: new RegExp(`One Stop Shop.*${QUARTER.words}`) })
    expect(plain(await own.innerText())).toContain('€60.00')
    await own.click()
    const totals = page.getByRole('table', { name: 'Totals by state' })
    expect(plain(await totals.getByRole('row', { name: /^France/ }).innerText())).toContain('€20.00')
    expect(plain(await totals.getByRole('row', { name: /^Total/ }).innerText())).toContain('€60.00')
    for (const caption of ['Supplies', 'Totals by state']) {
      const rows = page.getByRole('table', { name: caption }).locator('tbody').getByRole('rowheader')
      const places = await rows.allInnerTexts()
      expect(places).toEqual(places.toSorted((one, other) => one.localeCompare(other)))
      expect(new Set(places).size).toBeGreaterThan(1)
    }
    expect(await page.locator('#content button.first').allTextContents()).toEqual([
      'Lock figures and mark as filed',
    ])
    await page.getByLabel('Layout').selectOption('csv')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download', exact: true }).click(),
    ])
    expect(await readFile(await file.path(), 'utf8')).toContain('FR')
    await page.getByRole('button', { name: 'Lock figures and mark as filed' }).click()
    const question = page.getByRole('dialog')
    expect(plain(await question.innerText())).toMatch(/Union scheme.*It declares €60\.00/s)
    await question.getByRole('button', { name: 'Lock figures and mark as filed' }).click()
    const kept = page.getByRole('region', { name: 'Filed, version 1' })
    await kept.getByText('Add filing details (number, date, payment)').click()
    await kept.getByLabel('Number').fill('DE-2026-77')
    await kept.getByLabel('Filed on').fill(new Date().toISOString().slice(0, 10))
    await kept.getByRole('button', { name: 'Save' }).click()
    await kept.getByText('DE-2026-77').waitFor()
    await kept.getByLabel('State').selectOption('paid')
    await kept.getByLabel('Paid on').fill(new Date().toISOString().slice(0, 10))
    await kept.getByLabel('Amount paid').fill('60')
    await kept.getByRole('button', { name: 'Save' }).click()
    await kept.getByText(/, €60\.00$/).waitFor()
    await page.reload()
    await kept.getByText('Add filing details (number, date, payment)').click()
    expect(await kept.getByLabel('Amount paid').inputValue()).toBe('60.00')
    await page.getByRole('button', { name: 'Reopen…' }).click()
    await question.getByLabel('Reason').fill('A sale was missing')
    await question.getByRole('button', { name: 'Reopen', exact: true }).click()
    await page.getByRole('table', { name: 'Versions' }).getByText('A sale was missing').waitFor()
    expect(faults).toEqual([])
    await page.close()
  })

  it('finds the VAT return of the own country before all others', async () => {
    const { page, faults } = await console_test.signedIn()
    await page.getByRole('link', { name: 'Returns', exact: true }).click()
    const first = page.getByRole('navigation', { name: 'Returns' }).getByRole('link').first()
    await first.waitFor()
    expect(await first.innerText()).toContain('Germany')
    await first.click()
    await page.getByRole('heading', { name: 'Germany: Domestic VAT return' }).waitFor()
    expect(faults).toEqual([])
    await page.close()
  })
})

it('a key that was made to read reports sees what it can use, and nothing else', async () => {
  const maker = await console_test.signedIn()
  await maker.page.getByRole('link', { name: 'Keys', exact: true }).click()
  await maker.page.getByRole('link', { name: 'Create a key' }).click()
  await maker.page.getByLabel('Name').fill('Reader of reports')
  await maker.page.getByRole('button', { name: 'Accountant' }).click()
  for (const scope of [
    'tax:read',
    'transactions:read',
    'customers:read',
    'reports:write',
    'registrations:read',
  ])
    await maker.page.locator(`input[value="${scope}"]`).uncheck()
  await maker.page.getByRole('button', { name: 'Create the key' }).click()
  const key = await maker.page.getByRole('region', { name: 'The key' }).locator('code').innerText()
  await maker.page.close()
  const { page, faults } = await console_test.signedIn('/#/returns', {}, key)
  const views = page.getByRole('navigation', { name: 'Console' }).getByRole('link')
  expect(await views.allInnerTexts()).toEqual(['Overview', 'Returns', 'Nexus'])
  const listed = page.getByRole('navigation', { name: 'Returns' })
  await listed.getByRole('link').first().click()
  await page.locator('#return').waitFor()
  expect(await listed.getByText('Germany', { exact: true }).count()).toBeGreaterThan(0)
  expect(await listed.getByText('DE', { exact: true }).count()).toBe(0)
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByRole('link', { name: /^Unfiled tax/ }).waitFor()
  expect(await page.locator('.key-figure').count()).toBe(2)
  expect(await page.getByRole('heading', { name: 'Latest transactions' }).count()).toBe(0)
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(await page.getByRole('button', { name: /Freeze|Reopen/ }).count()).toBe(0)
  expect(faults).toEqual([])
  await page.close()
})

it('all sales by place and rate have the net sales of a place that taxes none of them', async () => {
  await console_test.api('POST', '/v1/transactions', {
    currency: 'EUR',
    transaction_date: QUARTER.day,
    customer: { address: { country: 'US', region: 'TX' } },
    line_items: [{ amount: 40_000, product_type: 'saas' }],
  })
  const [quarter, year] = QUARTER.words.split(' ')
  const { page, faults } = await console_test.signedIn(`/#/returns?type=generic&period=${year}-${quarter}`)
  const cellsOf = async (table: string, row: string) => {
    const found = page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: row })
    await found.first().waitFor()
    return (await found.getByRole('cell').allInnerTexts()).map(plain)
  }
  expect(await cellsOf('Supplies', 'Texas')).toEqual(['0 %', '€400.00', 'Not taxed', '€0.00'])
  expect(await cellsOf('Totals by state', 'Texas')).toEqual([
    '€400.00',
    'Not taxed',
    '€0.00',
    '€0.00',
    '€0.00',
  ])
  expect((await cellsOf('Totals by state', 'Total')).slice(0, 2)).toEqual(['€1,000.00', '€600.00'])
  expect(faults).toEqual([])
  await page.close()
})
