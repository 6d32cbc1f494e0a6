import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectNarrow } from './browser.ts'
import { type AccessTest, type ConsoleTest, plain, startAccess, startConsole } from './console.ts'

let console_test: ConsoleTest
let customer = ''

const INVOICE = '2026-10435'

/** A German seller with an invoice without tax, a sale of two lines, and a customer with certificates. */
async function fill(): Promise<void> {
  const { api } = console_test
  await api('PUT', '/v1/account', { country: 'DE', time_zone: 'UTC' })
  const valid_from = '2024-01-01'
  await api('POST', '/v1/registrations', {
    jurisdiction_id: 'DE',
    registration_number: 'DE136695976',
    valid_from,
  })
  await api('POST', '/v1/customers', { name: 'Bianchi', address: { country: 'IT' } })
  const buyer = {
    name: 'Rossi S.p.A.',
    external_id: 'crm-7',
    email: 'conti@libri.example',
    address: { country: 'IT' },
  }
  customer = String((await api('POST', '/v1/customers', buyer))['id'])
  await api('POST', `/v1/customers/${customer}/exemptions`, {
    jurisdiction_id: 'US-WA',
    exemption_type: 'resale',
    valid_from,
    certificate_number: 'A-number-of-a-certificate-that-is-as-long-as-some-are',
  })
  await api('POST', '/v1/transactions', {
    external_id: INVOICE,
    invoice_number: INVOICE,
    currency: 'EUR',
    customer_id: customer,
    customer: {
      type: 'business',
      address: { country: 'IT' },
      vat_id: 'IT00743110157',
      vat_id_validated: true,
    },
    line_items: [{ amount: 10_000, product_type: 'saas', description: 'Plan' }],
  })
  await api('POST', '/v1/transactions', {
    external_id: 'to-washington',
    currency: 'USD',
    customer: { address: { country: 'US', region: 'WA' } },
    line_items: [{ amount: 9_000_000, product_type: 'physical_goods' }],
  })
  await api('POST', '/v1/transactions', {
    external_id: 'two-lines',
    currency: 'EUR',
    customer: { address: { country: 'DE' } },
    line_items: [
      { amount: 10_000, product_type: 'physical_goods', description: 'Desk lamp' },
      { amount: 5_000, product_type: 'physical_goods', description: 'Mug' },
    ],
  })
}

let access: AccessTest

const KIM = 'kim@jobs.example'

beforeAll(async () => {
  console_test = await startConsole()
  access = await startAccess(console_test)
  await fill()
  await console_test.api('POST', '/v1/people', { email: KIM, name: 'Kim Example', role: 'accountant' })
})

afterAll(async () => {
  access?.close()
  await console_test?.close()
})

/** Opens the console, and a view by its link in the sidebar. */
async function opened(view: string) {
  const { page, faults } = await access.signedInAs(KIM)
  await page
    .getByRole('navigation', { name: 'Console' })
    .getByRole('link', { name: view, exact: true })
    .click()
  await page.getByRole('heading', { name: view, level: 1 }).waitFor()
  return { page, faults }
}

describe('an accountant who has signed in, by clicks alone,', () => {
  it('learns why an invoice has no tax', async () => {
    const { page, faults } = await opened('Transactions')
    await page.getByRole('searchbox').fill(INVOICE)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: INVOICE, exact: true }).click()
    const drawer = page.getByRole('complementary', { name: INVOICE })
    const why = drawer.getByRole('region', { name: 'Why' })
    await why.getByText('Reverse charge', { exact: true }).waitFor()
    expect(await why.innerText()).toContain('Plan · €100.00 · no tax · ')
    await drawer.getByRole('link', { name: 'Rossi S.p.A.' }).click()
    await page.getByRole('complementary', { name: 'Rossi S.p.A.' }).getByText('crm-7').waitFor()
    expect(faults).toEqual([])
    await page.close()
  })

  it('refunds one line, and sees afterwards which it was', async () => {
    const { page, faults } = await opened('Transactions')
    await page.getByRole('link', { name: 'two-lines', exact: true }).click()
    const drawer = page.getByRole('complementary', { name: 'two-lines' })
    await drawer.getByRole('button', { name: 'Refund…' }).click()
    await drawer.getByLabel('Single lines').check()
    await drawer.getByLabel(/^Mug/).check()
    expect(await drawer.getByLabel('Reason').inputValue()).toBe('')
    await drawer.getByLabel('Reason').fill('Broken')
    await drawer.getByText('€59.50 refund, including €9.50 tax').waitFor()
    await drawer.getByRole('button', { name: 'Refund', exact: true }).click()
    await drawer.getByRole('row', { name: /Mug.*Refunded/ }).waitFor()
    await drawer.getByRole('button', { name: 'Refund…' }).click()
    await drawer.getByLabel('Single lines').check()
    expect(await drawer.getByLabel(/^Mug/).count()).toBe(0)
    expect(faults).toEqual([])
    await page.close()
  })

  it('reads one form of money in tables and sentences, in a browser of any language', async () => {
    for (const locale of ['en-GB', 'de-DE']) {
      const { page } = await access.signedInAs(KIM, '/#/transactions', { locale })
      await page.getByRole('link', { name: 'to-washington', exact: true }).click()
      const drawer = page.getByRole('complementary', { name: 'to-washington' })
      await drawer.getByRole('region', { name: 'Why' }).getByText('· $90,000.00 ·').waitFor()
      expect(plain(await drawer.locator('.sum').innerText())).toBe('$90,000.00')
      expect(await page.locator('body').innerText()).not.toMatch(/US\$|90\.000/)
      await page.close()
    }
  })

  it('finds the local taxes of a ZIP in Georgia, and the city that decides them', async () => {
    const { page, faults } = await opened('Local taxes')
    await page.getByLabel('ZIP').fill('30318')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByRole('link', { name: 'Atlanta 8.9 %' }).click()
    await page.locator('.overall').getByText('8.9 % in total', { exact: true }).waitFor()
    await page.goBack()
    await page.locator('.overall').getByText('7.75 % to 8.9 % in total').waitFor()
    expect(faults).toEqual([])
    await page.close()
  })

  it('sees which state is close to nexus, and what to do', async () => {
    const { page, faults } = await opened('Nexus')
    const row = page.getByRole('row', { name: /^Washington/ })
    await row.getByText('Approaching', { exact: true }).waitFor()
    expect(plain(await row.innerText())).toMatch(/90 %[^]*\$90,000\.00\s+of \S*100,000\.00\s+1\s+App/)
    await row.getByRole('link', { name: 'Washington' }).click()
    const drawer = page.getByRole('complementary', { name: 'Washington' })
    await drawer.getByText('You are close to the threshold. Prepare the registration').waitFor()
    for (const fact of await drawer.locator('dd').allInnerTexts()) expect(fact).toMatch(/^[^a-z–]/)
    await drawer.getByRole('link', { name: 'Add a registration' }).click()
    const place = page.locator('#drawer').getByLabel('Place or scheme')
    await place.waitFor()
    expect(await place.inputValue()).toBe('Washington')
    expect(faults).toEqual([])
    await page.close()
  })

  it('sees where sales count later, what was not collected, and where no threshold is', async () => {
    const { api } = console_test
    const now = new Date()
    // In Pennsylvania, sales of a calendar year count from the next April on.
    const begun = now.getUTCMonth() >= 3
    const in_year = now.getUTCFullYear() - (begun ? 0 : 1)
    const in_period = begun ? now.toISOString() : `${in_year}-12-31T12:00:00Z`
    const sells = (
      external_id: string,
      address: object,
      amount: number,
      product_type: string,
      transaction_date = now.toISOString(),
    ) =>
      api('POST', '/v1/transactions', {
        external_id,
        transaction_date,
        currency: 'USD',
        customer: { address },
        line_items: [{ amount, product_type }],
      })
    await sells('to-pennsylvania', { country: 'US', region: 'PA' }, 1_102_800, 'physical_goods', in_period)
    await sells('to-nevada', { country: 'US', region: 'NV' }, 20_000_000, 'physical_goods')
    await sells('to-brazil', { country: 'BR' }, 953_500, 'saas')
    const { page, faults } = await opened('Nexus')
    const textOf = async (name: RegExp) => plain(await page.getByRole('row', { name }).innerText())
    await page.getByRole('row', { name: /^Nevada/ }).waitFor()
    expect(await textOf(/^Pennsylvania/)).toMatch(new RegExp(`From ${in_year + 1}: \\S*11,028\\.00 so far`))
    expect(await page.locator('.tile.coming title').textContent()).toMatch(
      /^Pennsylvania: .*11,028\.00 so far$/,
    )
    // 6.85 % of $200,000: the rate of the state without its counties.
    expect(await textOf(/^Nevada/)).toMatch(/Not collected: about \S*13,700\.00/)
    const unmonitored = page.getByRole('table', { name: /^Places with sales in the last 12 months/ })
    expect(plain(await unmonitored.innerText())).toMatch(
      /Brazil\s+\S*9,535\.00, 1 sale, no tax\s+We have no data/,
    )
    await page.getByRole('link', { name: 'Nevada' }).click()
    const drawer = page.getByRole('complementary', { name: 'Nevada' })
    await drawer.getByText('without local taxes').waitFor()
    await unmonitored.getByRole('link', { name: 'Brazil' }).click()
    const unmeasured = page.getByRole('complementary', { name: 'Brazil' })
    await unmeasured.getByText('We have no data on the law of this place').waitFor()
    await unmeasured.getByRole('link', { name: '$9,535.00, 1 sale, no tax' }).click()
    await page.getByRole('link', { name: 'to-brazil' }).waitFor()
    expect(
      await page
        .getByRole('table', { name: /^Transactions/ })
        .getByRole('row')
        .count(),
    ).toBe(2)
    expect(faults).toEqual([])
    await page.close()
  })

  it.each([
    ['a word of the name', 'S.p.A'],
    ['the beginning of the name in small letters', 'rossi'],
    ['the domain of the e-mail address', 'libri.example'],
    ['the own reference', 'crm-7'],
  ])('finds a customer by %s', async (_by, typed) => {
    const { page, faults } = await opened('Customers')
    await page.getByRole('link', { name: 'Bianchi' }).waitFor()
    await page.getByRole('searchbox', { name: 'Name, e-mail, reference' }).fill(typed)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Bianchi' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Rossi S.p.A.' }).waitFor()
    await page.getByRole('searchbox').fill('nobody')
    await page.keyboard.press('Enter')
    await page.getByText('No customer matches').waitFor()
    expect(faults).toEqual([])
    await page.close()
  })

  it('sees whether the API is up', async () => {
    const { page, faults } = await access.signedInAs(KIM)
    await page.getByRole('link', { name: 'Status' }).click()
    await page.getByText('The API is up').first().waitFor()
    expect(faults).toEqual([])
    await page.close()
  })
})

describe('customers', () => {
  it('show their heading and grey lines until the list is there', async () => {
    const { page } = await access.signedInAs(KIM)
    const held = Promise.withResolvers<void>()
    await page.route('**/v1/customers?*', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.getByRole('link', { name: 'Customers', exact: true }).click()
    await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor()
    await page.getByRole('searchbox').waitFor()
    await page.locator('main .skeleton').waitFor()
    held.resolve()
    await page.getByRole('link', { name: 'Rossi S.p.A.' }).waitFor()
    await page.close()
  })

  it('tell one failure once, and try again', async () => {
    const { page } = await opened('Customers')
    const body = { message: 'The books are not at hand', reason: 'unavailable', request_id: 'req_1' }
    await page.route(`**/v1/customers/${customer}`, (route) => route.fulfill({ status: 503, json: body }))
    await page.getByRole('link', { name: 'Rossi S.p.A.' }).click()
    const drawer = page.locator('#drawer')
    await drawer.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').count()).toBe(1)
    await page.unrouteAll()
    await drawer.getByRole('button', { name: 'Try again' }).click()
    await drawer.getByText('crm-7').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.close()
  })

  it('have tables with heads in a drawer of 560 px', async () => {
    const { page } = await opened('Customers')
    await page.getByRole('link', { name: 'Rossi S.p.A.' }).click()
    const certificates = page.locator('#drawer').getByRole('table', { name: 'Certificates' })
    await certificates.waitFor()
    const drawer = await page.locator('#drawer').boundingBox()
    // A browser places boxes by parts of a pixel.
    expect(Math.round(drawer?.width ?? 0)).toBeGreaterThanOrEqual(560)
    expect((await certificates.locator('thead').boundingBox())?.height).toBeGreaterThan(20)
    await page.close()
  })
})

it.each([
  ['customers', 'main tbody a'],
  ['customers/new', '#drawer form'],
  ['calculation', '.overall'],
  ['local-taxes?postal_code=30318', '.overall'],
  ['rates?place=DE', 'main .history'],
  ['rates/EU', '#drawer dl'],
])('#/%s fits 320 px', async (path, shown) => {
  const { page } = await access.signedInAs(KIM, `/#/${path}`)
  await page.locator(shown).first().waitFor()
  await expectNarrow(page, path)
  await page.close()
})
