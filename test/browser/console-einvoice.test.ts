import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, keepScreenshot } from './browser.ts'
import { CONSOLE_LOOKS, type ConsoleTest, plain, startConsole } from './console.ts'

let console_test: ConsoleTest
let mixed = ''
let imported = ''

const SALE = { currency: 'EUR', customer: { address: { country: 'CH' }, type: 'business' } }

async function fill(): Promise<void> {
  const { api } = console_test
  await api('PUT', '/v1/account', { country: 'DE', vat_id: 'DE136695976' })
  const sold = await api('POST', '/v1/transactions', {
    ...SALE,
    external_id: 'mixed',
    line_items: [
      { amount: 10_000, product_type: 'physical_goods', description: 'Machine' },
      { amount: 5_000, product_type: 'saas', description: 'Licence' },
    ],
  })
  mixed = String(sold['id'])
  await api('POST', `/v1/transactions/${mixed}/refund`, { amount: 3_000, reason: 'Late' })
  const foreign = await api('POST', '/v1/transactions', {
    currency: 'EUR',
    external_id: 'imported',
    seller: { country: 'US', region: 'CA', registrations: ['ioss'] },
    ship_from: { country: 'US' },
    customer: { address: { country: 'DE' } },
    line_items: [{ amount: 5_000, product_type: 'physical_goods' }],
  })
  imported = String(foreign['id'])
}

beforeAll(async () => {
  console_test = await startConsole()
  await fill()
})

afterAll(() => console_test?.close())

async function opened(id: string) {
  const { page, faults } = await console_test.signedIn(`/#/transactions/${id}`)
  const part = page.getByRole('region', { name: 'E-invoice' })
  await part.locator('summary').click()
  return { page, part, faults }
}

describe('the invoice of a sale', () => {
  it('is read when it is opened, in a chosen language, with warnings and credit notes', async () => {
    const { page, part, faults } = await opened(mixed)
    const breakdown = part.getByRole('table', { name: 'Breakdown' })
    await breakdown.getByText('Ausfuhrlieferung').waitFor()
    const rows = plain(await breakdown.innerText())
    expect(rows).toContain('VATEX-EU-G')
    expect(rows).toContain('O, outside the scope')
    expect(rows).toContain('€50.00')
    await part.getByText('An invoice with category O can have no other category').waitFor()
    await part.getByText('Line 2.').waitFor()
    const numbers = part.getByRole('table', { name: 'Seller’s tax numbers' })
    expect(await numbers.innerText()).toContain('DE136695976')
    const note = part.getByRole('table', { name: 'Credit note: Late' })
    expect(plain(await note.innerText())).toContain('€20.00')
    await part.getByLabel('Language of the sentences').selectOption('bg')
    await breakdown.getByText('Unconfirmed').first().waitFor()
    expect(faults).toEqual([])
    await expectAccessible(page)
    await page.close()
  })

  it('is copied as text', async () => {
    const { page, part } = await opened(mixed)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await part.getByRole('button', { name: 'Copy what the invoice says' }).click()
    await part.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = plain(String(await page.evaluate('navigator.clipboard.readText()')))
    expect(copied).toContain('G 0 %: €100.00, tax €0.00\n  VATEX-EU-G')
    expect(copied).toContain('BT-31 DE136695976')
    await page.close()
  })

  it('never shows a number that must not be printed', async () => {
    const { page, part } = await opened(imported)
    const numbers = part.getByRole('table', { name: 'Seller’s tax numbers' })
    await numbers.getByText('Do not print').waitFor()
    expect(await numbers.innerText()).not.toContain('no number')
    await page.close()
  })

  it.each(Object.entries(CONSOLE_LOOKS))('fits into the drawer: %s', async (name, look) => {
    const { page } = await console_test.signedIn(`/#/transactions/${mixed}`, look)
    const part = page.getByRole('region', { name: 'E-invoice' })
    await part.locator('summary').click()
    await part.getByRole('table', { name: 'Breakdown' }).waitFor()
    await part.scrollIntoViewIfNeeded()
    const wide = await part.evaluate((element) => element.scrollWidth - element.clientWidth)
    expect(wide).toBeLessThanOrEqual(0)
    await keepScreenshot(page, `einvoice-${name}`)
    await page.close()
  })
})
