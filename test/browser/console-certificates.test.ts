import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM, expectAccessible, keepScreenshot } from './browser.ts'
import { CONSOLE_LOOKS, type ConsoleTest, startConsole } from './console.ts'

let console_test: ConsoleTest
let customer = ''
let ended = ''

/** A valid image of one grey pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGOoBwAAgQCA2+DIVgAAAABJRU5ErkJggg==',
  'base64',
)

const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** A customer with a certificate of each state, and sales before and after one of them ended. */
async function fill(): Promise<void> {
  const { api } = console_test
  await api('POST', '/v1/customers', { name: 'Other Ltd' })
  customer = String((await api('POST', '/v1/customers', { name: 'Fern & Oak Inc.' }))['id'])
  const add = async (certificate_number: string, valid_to: string | null, status: string) => {
    const path = `/v1/customers/${customer}/exemptions`
    const exemption = { jurisdiction_id: 'US-CA', exemption_type: 'resale', valid_from: '2026-01-01' }
    const { id } = await api('POST', path, { ...exemption, certificate_number, valid_to })
    await api('PUT', `${path}/${String(id)}`, { status })
    return String(id)
  }
  ended = await add('ENDED', dayFromNow(-10), 'verified')
  const sell = (external_id: string, days: number) =>
    api('POST', '/v1/transactions', {
      external_id,
      currency: 'USD',
      transaction_date: `${dayFromNow(days)}T12:00:00Z`,
      customer_id: customer,
      customer: { address: { country: 'US', region: 'CA', postal_code: '94103' } },
      line_items: [{ amount: 10_000, product_type: 'physical_goods', tax_amount: 0 }],
    })
  // More than the first page of a list in a drawer.
  for (let n = 0; n < 25; n += 1) await sell(`order-early-${n}`, -30)
  await sell('order-before', -20)
  await sell('order-after', -5)
  await add('REFUSED', null, 'rejected')
  await add('NEARLY', dayFromNow(20), 'verified')
  await add('LASTING', null, 'verified')
}

beforeAll(async () => {
  console_test = await startConsole()
  await fill()
})

afterAll(() => console_test?.close())

it('each certificate has its true state: an ended one is expired, not verified', async () => {
  const { page, faults } = await console_test.signedIn('/#/certificates')
  for (const [number, state] of [
    ['ENDED', 'Expired'],
    ['REFUSED', 'Rejected'],
    ['NEARLY', /^(19|20) days left$/],
    ['LASTING', 'Active'],
  ] as const) {
    const row = page.getByRole('row', { name: number })
    await row.getByText(state, { exact: true }).waitFor()
    expect(await row.innerText()).not.toContain('Verified')
  }
  expect(faults).toEqual([])
  await page.close()
})

it('a search and a state find certificates, by what is true today', async () => {
  const { page, faults } = await console_test.signedIn('/#/certificates')
  const row = (number: string) => page.getByRole('row', { name: number })
  await row('LASTING').waitFor()
  await page.getByText('State', { exact: true }).first().click()
  await page.getByLabel('State', { exact: true }).selectOption('expired')
  await row('LASTING').waitFor({ state: 'detached' })
  await row('ENDED').waitFor()
  expect(await page.getByRole('row').count()).toBe(2)
  await page.getByRole('button', { name: 'Clear all' }).click()
  const search = page.getByRole('searchbox', { name: 'Customer, number or place' })
  await search.fill('near')
  await search.press('Enter')
  await row('ENDED').waitFor({ state: 'detached' })
  await row('NEARLY').waitFor()
  await search.fill('nobody')
  await search.press('Enter')
  await page.getByText('No certificate matches').waitFor()
  expect(faults).toEqual([])
  await page.close()
})

it('a link for a certificate is sent on from where it was made, and only where certificates exist', async () => {
  const made = async (country: string, region: string | null) =>
    String(
      (
        await console_test.api('POST', '/v1/customers', {
          name: `Buyer in ${country}`,
          email: 'buyer@example.com',
          address: { country, region },
        })
      )['id'],
    )
  const { page, faults } = await console_test.signedIn(`/#/customers/${await made('US', 'TX')}`)
  await page.getByText('Request a certificate').click()
  await page.getByRole('button', { name: 'Create the link' }).click()
  const link = page.getByRole('region', { name: 'The link for the customer' })
  await link
    .getByText(/\/certificates?\//)
    .first()
    .waitFor()
  expect(await link.locator('.first').allInnerTexts()).toEqual(['Copy'])
  expect(await link.getByRole('link', { name: 'Write an e-mail' }).getAttribute('href')).toContain(
    'mailto:buyer%40example.com?subject=',
  )
  await link.getByRole('button', { name: 'Done' }).click()
  await page.getByText(/A link is open until/).waitFor()
  await page.goto(`${console_test.service.origin}/console#/customers/${await made('DE', null)}`)
  await page.getByRole('complementary', { name: 'Buyer in DE' }).getByText('Add a certificate').waitFor()
  expect(await page.getByText('Request a certificate').count()).toBe(0)
  expect(faults).toEqual([])
  await page.close()
})

it('a PDF opens in a tab of its own, which has no way back to the console', async () => {
  const path = `/v1/customers/${customer}/exemptions`
  const { id } = await console_test.api('POST', path, {
    jurisdiction_id: 'US-TX',
    exemption_type: 'resale',
    certificate_number: 'AS-PDF',
    valid_from: '2026-01-01',
  })
  const stored = await fetch(`${console_test.service.origin}/v1/exemptions/${String(id)}/document`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${console_test.service.key}` },
    body: '%PDF-1.4\n<script>document.title = "run"</script>\n%%EOF',
  })
  expect(stored.status).toBe(200)
  const in_chromium = await startConsole(CHROMIUM)
  const { page, faults } = await in_chromium.signedIn(`/#/certificates/${customer}~${String(id)}`)
  const drawer = page.getByRole('complementary', { name: 'AS-PDF' })
  const opened = page.context().waitForEvent('page')
  await drawer.getByRole('button', { name: 'Open in a new tab' }).click()
  const tab = await opened
  await tab.waitForURL(/^blob:/)
  expect(await tab.evaluate('[opener, document.contentType]')).toEqual([null, 'application/pdf'])
  expect(faults).toEqual([])
  await in_chromium.close()
})

it('a certificate is added from its own view with its file, which is shown, and deleted', async () => {
  const { page, faults } = await console_test.signedIn('/#/certificates')
  await page.getByRole('link', { name: 'Add a certificate' }).click()
  const form = page.getByRole('complementary', { name: 'New certificate' })
  await form.getByLabel('Customer').fill('fern')
  await form.getByRole('button', { name: 'Other Ltd' }).waitFor({ state: 'detached' })
  await form.getByRole('button', { name: 'Fern & Oak Inc.' }).click()
  await form.getByLabel('Number').fill('WITH-FILE')
  await form.getByLabel('Exempt in').fill('Texas')
  await form.getByLabel('Reason on form F0003').selectOption('G')
  await form.getByLabel('File').setInputFiles({ name: 'c.png', mimeType: 'image/png', buffer: PNG })
  await form.getByRole('button', { name: 'Add the certificate' }).click()
  const drawer = page.getByRole('complementary', { name: 'WITH-FILE' })
  await drawer.getByText('G: Resale').waitFor()
  const image = drawer.getByRole('img', { name: 'Certificate WITH-FILE' })
  await image.waitFor()
  expect(await image.evaluate((shown) => ('naturalWidth' in shown ? shown.naturalWidth : 0))).toBe(1)
  const box = await image.boundingBox()
  expect(box?.width, 'the image is not stretched').toBe(box?.height)
  await drawer.getByRole('button', { name: 'Delete the file' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the file' }).click()
  await drawer.getByText('No file is stored').waitFor()
  await drawer
    .getByLabel('File of the certificate')
    .setInputFiles({ name: 'c.pdf', mimeType: 'application/pdf', buffer: Buffer.from('no file of ours') })
  await drawer.getByRole('button', { name: 'Store the file' }).click()
  await drawer.getByText('must be a PDF, PNG or JPEG').waitFor()
  expect(faults).toEqual([])
  await page.close()
})

it('the drawer of an ended one lists the sales that used it, and those since it ended', async () => {
  const { page, faults } = await console_test.signedIn(`/#/certificates/${customer}~${ended}`)
  const drawer = page.getByRole('complementary', { name: 'ENDED' })
  const used = drawer.getByRole('region', { name: 'Sales that used it' })
  await used.getByText('order-before').waitFor()
  await used.getByText('The first 25').waitFor()
  await used.getByRole('button', { name: 'Load more' }).click()
  await used.getByText('26 in all').waitFor()
  const history = drawer.getByRole('table', { name: 'History' })
  await history.getByText('Certificate updated: status').waitFor()
  expect(await history.innerText()).not.toContain('key_')
  expect(await history.innerText()).toContain('tcs_')
  const since = drawer.getByRole('table', { name: 'Sales without a certificate since it ended' })
  await since.getByText('order-after').waitFor()
  expect(await since.getByText('order-before').count()).toBe(0)
  await drawer.getByText(/It ended on .+ Later sales need another one/).waitFor()
  await drawer.getByRole('link', { name: 'Ask the customer for a new one' }).waitFor()
  expect(await drawer.getByRole('button', { name: 'Reject' }).count()).toBe(0)
  await drawer.getByText('Change the decision').click()
  expect(await drawer.getByRole('button', { name: 'Reject' }).getAttribute('class')).toBe('dangerous')
  expect(await drawer.locator('button.first').count()).toBe(0)
  expect(await drawer.locator('dt').allInnerTexts()).not.toContain('Review notes')
  expect(await drawer.getByText('–', { exact: true }).count()).toBe(0)
  expect(await drawer.getByRole('button', { name: 'End now' }).count()).toBe(0)
  await page.evaluate("location.hash = '#/certificates/new'")
  await page.getByRole('complementary', { name: 'New certificate' }).getByLabel('Customer').waitFor()
  expect(faults).toEqual([])
  await page.close()
})

it('the drawer of one that a person ended lists the sales without it since', async () => {
  const { api } = console_test
  const buyer = String((await api('POST', '/v1/customers', { name: 'Stopped Ltd' }))['id'])
  const path = `/v1/customers/${buyer}/exemptions`
  const { id } = await api('POST', path, {
    jurisdiction_id: 'US-CA',
    exemption_type: 'resale',
    certificate_number: 'STOPPED',
    valid_from: '2026-01-01',
  })
  await api('PUT', `${path}/${String(id)}`, { status: 'verified' })
  const { ended_on } = await api('PUT', `${path}/${String(id)}`, { status: 'expired' })
  expect(ended_on).toBe(dayFromNow(-1))
  await api('POST', '/v1/transactions', {
    external_id: 'order-since',
    currency: 'USD',
    customer_id: buyer,
    customer: { address: { country: 'US', region: 'CA', postal_code: '94103' } },
    line_items: [{ amount: 10_000, product_type: 'physical_goods', tax_amount: 0 }],
  })
  const { page, faults } = await console_test.signedIn(`/#/certificates/${buyer}~${String(id)}`)
  const drawer = page.getByRole('complementary', { name: 'STOPPED' })
  const since = drawer.getByRole('table', { name: 'Sales without a certificate since it ended' })
  await since.getByText('order-since').waitFor()
  expect(await drawer.getByText('No end').count()).toBe(0)
  expect(faults).toEqual([])
  await page.close()
})

describe.each(Object.entries(CONSOLE_LOOKS))('in %s', (look, options) => {
  it('the list, a drawer and the form are accessible', async () => {
    for (const [name, path] of [
      ['list', ''],
      ['drawer', `/${customer}~${ended}`],
      ['form', '/new'],
    ] as const) {
      const { page } = await console_test.signedIn(`/#/certificates${path}`, options)
      const shown = name === 'list' ? 'NEARLY' : name === 'drawer' ? 'order-before' : 'Other Ltd'
      await page.getByText(shown).first().waitFor()
      await expectAccessible(page)
      await keepScreenshot(page, `certificates-${name}-${look}`)
      await page.close()
    }
  })
})
