import { afterAll, beforeAll, expect, it } from 'vitest'
import { readFileSync } from 'node:fs'
import { TEMPLATE } from '../../scripts/imports/template.ts'
import { type ConsoleTest, plain, startConsole } from './console.ts'

let console_test: ConsoleTest

beforeAll(async () => {
  console_test = await startConsole()
})

afterAll(() => console_test?.close())

const FILE = `${TEMPLATE}A-1003,2026-04-12,EUR,FR,,,,,1,Lamp,physical_goods,1,ten,0.00,,,,,
A-1004,2026-04-12,EUR,XX,,,,,1,Lamp,physical_goods,1,10.00,0.00,,,,,
A-1005,2026-04-12,EUR,US,ZZ,,,,1,Lamp,Software,1,10.00,0.00,,,,,
A-1006,2026-04-12,GBP,GB,,,,GB123,1,Lamp,physical_goods,1,10.00,2.00,,,,,
A-1007,2026-04-12,EUR,FR,,,,,1,Lamp,physical_goods,1,-10.00,0.00,GONE,,,,
A-1008,2026-04-12,EUR,FR,,,,,1,${'x'.repeat(2_000)},physical_goods,1,10.00,0.00,,,,,
`

it('names errors before the button, then totals, records the rest, and gives the rows with errors back', async () => {
  const { page, faults } = await console_test.signedIn('/#/transactions')
  const recorded = async () => (await console_test.api('GET', '/v1/transactions'))['total']
  await page.getByRole('link', { name: 'Import CSV' }).click()
  const drawer = page.locator('#drawer')
  const fileOf = async (button: string) => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      drawer.getByRole('button', { name: button }).first().click(),
    ])
    return readFileSync(await file.path(), 'utf8')
  }
  expect(await fileOf('Download the template')).toBe(TEMPLATE)
  const send = async (counts: string) => {
    const file = { name: 'sales.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) }
    await drawer.getByLabel('CSV file').setInputFiles(file)
    await drawer.getByRole('button', { name: 'Check the file' }).click()
    await drawer.getByText('5 of 9 sales ready, 4 have errors, 1 to look at').waitFor()
    await drawer.getByText('Row 6, amount: "ten" is not a decimal number').waitFor()
    await drawer.getByText('Row 7, country: "XX" is not the code of a country, such as DE').waitFor()
    await drawer.getByText(/^Row 8, product_type: .* did you mean saas or software_download\?$/).waitFor()
    await drawer.getByText(/^Row 10, credit_note_for: "GONE" is neither in the books/).waitFor()
    await drawer.getByText(/^Row 9, vat_id: "GB123" is no VAT id of GB/).waitFor()
    expect(await drawer.getByRole('link', { name: 'All product types' }).count()).toBe(1)
    const refused = await fileOf('Download these rows with their reasons')
    expect(refused.split('\r\n')).toHaveLength(6)
    expect(refused).toMatch(/^A-1004,.*,"Row 7, country: ""XX"" is not/m)
    await drawer.getByText(/^EUR: 3 sales/).click()
    const totals = drawer.getByRole('table', { name: 'Control totals of the file, EUR' })
    expect(plain(await totals.innerText())).toMatch(/March 2026\s+2\s+€70\.00\s+€10\.90/)
    const before = await recorded()
    const record = drawer.getByRole('button', { name: 'Record 5 sales' })
    const box = await record.boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0)
    await record.click()
    await drawer.getByText(counts).waitFor()
    await drawer.getByText(/^Row 11, A-1008: .*description/).waitFor()
    expect(await fileOf('Download these rows with their reasons')).toMatch(/^A-1008,/m)
    await drawer.getByRole('button', { name: 'Import another file' }).click()
    return before
  }
  expect(await send('4 recorded, 0 already in the books, 1 refused')).toBe(0)
  expect(await recorded()).toBe(4)
  expect(await send('0 recorded, 4 already in the books, 1 refused')).toBe(4)
  expect(await recorded()).toBe(4)
  expect(faults).toEqual([])
  await page.close()
})

it('names the columns that a file lacks, and records nothing', async () => {
  const { page, faults } = await console_test.signedIn('/#/transactions/new')
  const file = { name: 'other.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2\n') }
  await page.getByLabel('CSV file').setInputFiles(file)
  await page.getByRole('button', { name: 'Check the file' }).click()
  await page.getByText(/lacks the columns id, date, currency/).waitFor()
  expect(await page.getByRole('button', { name: /^Record/ }).count()).toBe(0)
  expect(faults).toEqual([])
  await page.close()
})

it('shows charged against expected tax by place and month, and the sales of a row', async () => {
  await console_test.api('PUT', '/v1/account', { country: 'DE', time_zone: 'UTC' })
  for (const where of [{ jurisdiction_id: 'DE' }, { scheme: 'oss_union' }])
    await console_test.api('POST', '/v1/registrations', { ...where, valid_from: '2026-01-01' })
  const sell = (external_id: string, country: string, tax_amount: number) =>
    console_test.api('POST', '/v1/transactions', {
      external_id,
      currency: 'EUR',
      transaction_date: new Date(Date.now() - 86_400_000).toISOString(),
      customer: { address: { country } },
      line_items: [{ amount: 10_000, product_type: 'saas', tax_amount }],
    })
  await sell('exact', 'DE', 1_900)
  await sell('too-much', 'FR', 2_150)
  await sell('too-little', 'AT', 1_900)
  const { page, faults } = await console_test.signedIn('/#/transactions')
  await page.getByText('More filters').click()
  await page.getByRole('combobox', { name: 'Charged tax' }).selectOption('Differs from expected')
  await page.keyboard.press('Escape')
  const report = page.getByRole('table', { name: 'Charged and expected tax' })
  await report.waitFor()
  const row = report.getByRole('row', { name: /France/ })
  expect(plain(await row.innerText())).toMatch(/1\s+€21\.50\s+€20\.00\s+€1\.50/)
  await page.getByText('2 sales, €0.50 in all').waitFor()
  await page.getByRole('link', { name: 'too-little' }).waitFor()
  expect(await page.getByRole('link', { name: 'exact' }).count()).toBe(0)
  await row.getByRole('link').click()
  await page.getByRole('link', { name: 'too-little' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'too-much' }).waitFor()
  expect(page.url()).toContain('jurisdiction_id=FR')
  expect(faults).toEqual([])
  await page.close()
})
