import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openLocal } from '../../scripts/bindings.ts'
import { newId } from '../../src/platform/database/ids.ts'
import { insertRows } from '../../src/platform/database/insert-rows.ts'
import { DAY_MS } from '../../src/platform/kit/calendar.ts'
import { DUE_DAYS_AHEAD } from '../../src/returns/obligations/days-of-work.ts'
import type { Scope } from '../../src/platform/database/values/scopes.ts'
import { expectAccessible, keepScreenshot } from './browser.ts'
import { CONSOLE_LOOKS, type ConsoleTest, plain, startConsole } from './console.ts'
import { addKeys } from '../support/running-service.ts'

let console_test: ConsoleTest

const EVIL_NAME = '<img src=x onerror=alert(1)> & Sons'
let receiver_url = ''
let received = 0
const receiver = createServer((request, response) => {
  received += 1
  request.resume().on('end', () => response.writeHead(204).end())
})

/** The last quarter that has ended, so that its return can be filed. */
const QUARTER = lastQuarter(new Date())

function lastQuarter(now: Date) {
  const first = new Date(Date.UTC(now.getUTCFullYear(), Math.floor(now.getUTCMonth() / 3) * 3 - 3, 1))
  const day = (months: number, date: number) =>
    new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + months, date)).toISOString().slice(0, 10)
  const number = Math.floor(first.getUTCMonth() / 3) + 1
  const year = first.getUTCFullYear()
  return { name: `${year}-Q${number}`, words: `Q${number} ${year}`, first: day(0, 1), second: day(1, 2) }
}

/** A British return with two sales and a refund, and a large sale to Washington. */
async function fill(): Promise<void> {
  const { api } = console_test
  await api('PUT', '/v1/account', { country: 'US', region: 'CA', time_zone: 'UTC' })
  await api('POST', '/v1/transactions', {
    currency: 'USD',
    customer: { address: { country: 'US', region: 'WA' } },
    line_items: [{ amount: 9_000_000, product_type: 'physical_goods' }],
  })
  const registration = { jurisdiction_id: 'GB', registration_number: 'GB123456789' }
  await api('POST', '/v1/registrations', { ...registration, valid_from: QUARTER.first })
  await api('POST', '/v1/transactions', britishSale('uk-1', 10_000))
  const { id } = await api('POST', '/v1/transactions', britishSale('uk-2', 20_000))
  await api('POST', `/v1/transactions/${String(id)}/refund`, {
    amount: 1_200,
    reason: 'Returned',
    refunded_at: QUARTER.second,
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const address = receiver.address()
  receiver_url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
}

function britishSale(external_id: string, amount: number) {
  return {
    external_id,
    currency: 'GBP',
    transaction_date: QUARTER.second,
    customer: { address: { country: 'GB' } },
    line_items: [{ amount, product_type: 'saas', description: EVIL_NAME }],
  }
}

/** The event of a sale, which is sent at once. */
async function sellOneMore(): Promise<void> {
  const before = received
  await console_test.api('POST', '/v1/transactions', britishSale('uk-3', 500))
  await vi.waitFor(() => expect(received).toBeGreaterThan(before), { timeout: 300_000 })
}

beforeAll(async () => {
  console_test = await startConsole()
  await fill()
})

afterAll(async () => {
  await console_test?.close()
  receiver.close()
})

/** A key of another account. */
async function keyOf(account: string, scopes: readonly Scope[]): Promise<string> {
  const [key = ''] = await addKeys(console_test.service, { account, scopes })
  return key
}

/** A review as a collector leaves it. Returns its id. */
async function waitingReview(): Promise<string> {
  const { db, dispose } = await openLocal(console_test.service.state)
  const seen = new Date().toISOString()
  const review = newId('rev')
  const rate = {
    id: 'rate:gb:vat:standard:2026-11-21',
    jurisdiction_id: 'GB',
    tax_type: 'VAT',
    category: 'standard',
    rate_millionths: 220_000,
    effective_from: '2026-11-21',
    effective_to: null,
    source: 'GOV.UK, VAT rates',
  }
  const row = {
    id: review,
    region: 'UK',
    part: 'VAT rates',
    kind: 'rates' as const,
    subject: 'GB VAT standard',
    value: '220000',
    status: 'waiting' as const,
    why: 'waits for a second source or a second day',
    stands: null,
    proposed: JSON.stringify(rate),
    source: 'GOV.UK, VAT rates',
    document_url: 'https://www.gov.uk/api/content/vat-rates',
    document_hash: 'ab'.repeat(32),
    excerpt: 'Standard rate | 22%',
    witnesses: JSON.stringify([{ source: 'GOV.UK, VAT rates', day: '2026-11-21' }]),
    first_seen_at: seen,
    last_seen_at: seen,
    decided_at: null,
    decided_by: null,
    decision_reason: null,
  }
  await db.batch(insertRows(db, 'reviews', [row]))
  await dispose()
  return review
}

/** Minor units of an amount on the page. */
function pence(text: string): number {
  return Math.round(Number(text.replaceAll(/[^\d.-]/g, '')) * 100)
}

const drawerOf = (page: Page) => page.locator('#drawer')
const britishReturn = `/#/returns?type=uk_vat100&period=${QUARTER.name}`

describe('a return', () => {
  it('is the form of the office, and the rows of each figure add up to it', async () => {
    const { page, faults } = await console_test.signedIn('/#/returns')
    const listed = page.getByRole('navigation', { name: 'Returns' })
    await listed.getByRole('link', { name: new RegExp(`United Kingdom.*${QUARTER.words}`) }).click()
    await page.getByRole('heading', { name: 'VAT Return (VAT100)' }).waitFor()
    const form = page.getByRole('table', { name: 'The form' })
    await form.waitFor()
    expect(await form.getByRole('row').count()).toBe(9)
    for (const [box, amount] of [
      ['1', '£58.00'],
      ['6', '£290.00'],
    ] as const) {
      await form.getByRole('link', { name: `${amount}, rows of box ${box}` }).click()
      await page.getByText(`3 rows add up to ${amount}, which is the figure.`).waitFor()
      const figures = await drawerOf(page).locator('td.figure').allInnerTexts()
      expect(figures.map(pence).reduce((sum, each) => sum + each, 0)).toBe(pence(amount))
      await page.keyboard.press('Escape')
    }
    expect(faults).toEqual([])
    await page.close()
  })

  it('says what its file lacks, and is downloaded without the key in an address', async () => {
    const { page, faults } = await console_test.signedIn(britishReturn)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.getByText(/^Fill in: Period key; Box 2/).waitFor()
    await page.getByLabel('Period key').fill('18A1')
    const form = page.getByRole('table', { name: 'The form' })
    const boxOf = (box: number) =>
      form
        .getByRole('row')
        .nth(box - 1)
        .locator('td.number')
    await form.getByLabel('Box 2, VAT due on acquisitions').fill('0')
    await expect.poll(() => boxOf(3).innerText()).toBe('£58.00')
    expect(await boxOf(5).innerText()).toBe('after boxes 3 and 4')
    await form.getByLabel('Box 4, VAT reclaimed').fill('12,34')
    await expect.poll(() => boxOf(5).innerText()).toBe('£45.66')
    await form.getByLabel('Box 7, purchases without VAT').fill('100.00')
    await form.getByLabel('Box 9, acquisitions without VAT').fill('0')
    await expectAccessible(page)
    await page.getByLabel('I declare that the return is final').check()
    await page.getByText('The file is complete.').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download', exact: true }).click(),
    ])
    expect(download.suggestedFilename()).toBe(`uk_vat100-${QUARTER.name}-hmrc_mtd_json.json`)
    const file: unknown = JSON.parse(await readFile(await download.path(), 'utf8'))
    expect(file).toMatchObject({ periodKey: '18A1', vatDueSales: 58, vatReclaimedCurrPeriod: 12.34 })
    expect(asked.filter((url) => url.includes(console_test.service.key))).toEqual([])
    expect(faults).toEqual([])
    await page.close()
  })

  it('is set aside with a reason, and taken back', async () => {
    const { page, faults } = await console_test.signedIn(britishReturn)
    await page.getByRole('button', { name: 'Set aside…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('Filed by the adviser')
    await dialog.getByRole('button', { name: 'Set aside', exact: true }).click()
    await page.getByText('because: Filed by the adviser. It does not need to be filed here.').waitFor()
    const aside = page.getByRole('navigation', { name: 'Returns' }).getByText('Set aside (1)')
    await aside.click()
    await page.getByRole('link', { name: new RegExp(`United Kingdom, ${QUARTER.words}`) }).waitFor()
    const { obligations } = await console_test.api('GET', '/v1/obligations?status=set_aside')
    expect(obligations).toMatchObject([{ id: `obl_GB_${QUARTER.name}` }])
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Take back' }).click()
    await page.getByRole('button', { name: 'Set aside…' }).waitFor()
    expect(faults).toEqual([])
    await page.close()
  })

  it('says once what to bring and where it is, and in each box after which it is computed', async () => {
    const { page, faults } = await console_test.signedIn(britishReturn)
    const bring = page.getByRole('region', { name: 'What to bring' })
    await bring.waitFor()
    expect(await bring.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^Boxes 2 and 9: goods .* Northern Ireland/),
      expect.stringMatching(/^Boxes 4 and 7: all your purchases/),
    ])
    const form = page.getByRole('table', { name: 'The form' })
    expect(await form.innerText()).not.toMatch(/not from sales|does not know/)
    await form.getByText('after box 2', { exact: true }).waitFor()
    expect(await form.locator('.affixed').first().innerText()).toBe('£')
    expect(
      await page.evaluate(`(({ textAlign, fontVariantNumeric }) => [textAlign, fontVariantNumeric])(
        getComputedStyle(document.querySelector('.paper input')))`),
    ).toEqual(['right', 'tabular-nums'])
    const command = page.getByRole('link', { name: 'tax-compliance mtd submit' })
    expect(await command.getAttribute('href')).toBe('/docs/making-tax-digital')
    expect(faults).toEqual([])
    await page.close()
  })

  it('tells why its date is so when it is asked, and is listed below the name of its country', async () => {
    const { page, faults } = await console_test.signedIn('/#/returns', {
      viewport: { width: 820, height: 900 },
    })
    const listed = page.getByRole('navigation', { name: 'Returns' })
    await listed.getByRole('heading', { name: 'United Kingdom' }).first().waitFor()
    const places = await listed.locator('section').first().getByRole('heading', { level: 3 }).allInnerTexts()
    expect(new Set(places).size).toBe(places.length)
    const backgrounds = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.obligations a')].map((each) => getComputedStyle(each).backgroundColor)`,
    )
    expect(new Set(backgrounds).size).toBe(1)
    await listed.getByRole('link', { name: new RegExp(`United Kingdom, ${QUARTER.words}`) }).click()
    const head = page.getByRole('region', { name: /VAT Return/ })
    expect(await head.getByText('VAT Regulations 1995').count()).toBe(0)
    await head.getByText('Why this date').click()
    await head.getByText('VAT Regulations 1995').waitFor()
    await expectAccessible(page)
    expect(faults).toEqual([])
    await page.close()
  })

  it('has its one button in its head, with the boxes that wait for figures, and on a phone always in sight', async () => {
    const { page, faults } = await console_test.signedIn(britishReturn)
    const head = page.getByRole('region', { name: /VAT Return/ })
    await head.getByText('4 of 9 boxes need you').waitFor()
    await page.locator('.paper input').first().fill('12.00')
    await head.getByText('3 of 9 boxes need you').waitFor()
    const button = head.getByRole('button', { name: 'Lock figures and mark as filed' })
    await page.setViewportSize({ width: 390, height: 844 })
    for (const edge of ['0', 'document.body.scrollHeight']) {
      await page.evaluate(`scrollTo(0, ${edge})`)
      const box = await button.boundingBox()
      expect((box?.y ?? 844) + (box?.height ?? 0)).toBeLessThan(844 - 48)
    }
    expect(faults).toEqual([])
    await page.close()
  })

  it('is filed after a confirmation, shows its hash and late entries, and is reopened with a reason', async () => {
    const { page, faults } = await console_test.signedIn(britishReturn)
    const freeze = page.getByRole('button', { name: 'Lock figures and mark as filed' })
    await freeze.first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    expect(await console_test.api('GET', '/v1/returns')).toMatchObject({ total: 0 })
    await freeze.first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Lock figures and mark as filed' }).click()
    const kept = page.getByRole('region', { name: 'Filed, version 1' })
    await kept.waitFor()
    const { returns } = await console_test.api('GET', '/v1/returns')
    const [{ id, hash } = { id: '', hash: '' }] = returns as { id: string; hash: string }[]
    expect(await kept.locator('code').first().innerText()).toBe(hash)
    await kept.getByText('No later changes to this period.').waitFor()
    await expectAccessible(page)

    await console_test.api('POST', '/v1/transactions', britishSale('uk-late', 5_000))
    await page.reload()
    // The console looks so far ahead that early in a quarter it does not see the next return yet.
    const until = new Date(Date.now() + DUE_DAYS_AHEAD * DAY_MS).toISOString().slice(0, 10)
    const { obligations } = await console_test.api('GET', `/v1/obligations?to=${until}`)
    const sees_next = (obligations as { type: string; from_date: string }[]).some(
      ({ type, from_date }) => type === 'uk_vat100' && from_date > QUARTER.second,
    )
    await kept
      .getByText(
        sees_next
          ? 'corrects the tax of this return: United Kingdom £10.00.'
          : 'They go into the next open return as corrections.',
      )
      .waitFor()

    await page.getByRole('button', { name: 'Reopen…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Reopen', exact: true }).click()
    expect(await dialog.isVisible()).toBe(true)
    await dialog.getByLabel('Reason').fill('An invoice was missing')
    await dialog.getByRole('button', { name: 'Reopen', exact: true }).click()
    await page.getByRole('link', { name: '£68.00, rows of box 1' }).waitFor()
    expect(await console_test.api('GET', `/v1/returns/${id}`)).toMatchObject({
      status: 'reopened',
      reopen_reason: 'An invoice was missing',
    })
    const versions = page.getByRole('table', { name: 'Versions' })
    expect(await versions.innerText()).toContain('An invoice was missing')
    await versions.getByRole('link', { name: 'Version 1' }).click()
    await page.getByRole('link', { name: '£58.00, rows of box 1' }).click()
    await page.getByText('3 rows add up to £58.00, which is the figure.').waitFor()
    expect(faults).toEqual([])
    await page.close()
  })

  it('asks for the rate of each currency that has none, and converts the rows of its figures', async () => {
    await console_test.api('POST', '/v1/transactions', { ...britishSale('uk-pen', 10_000), currency: 'PEN' })
    const { page, faults } = await console_test.signedIn(britishReturn)
    await page.getByText('PEN 100.00 with tax of PEN 20.00').waitFor()
    expect(await page.getByRole('button', { name: 'Lock figures and mark as filed' }).count()).toBe(0)
    await page.getByLabel(/^PEN.* for one GBP$/).fill('1,25')
    await page.getByRole('button', { name: 'Use these rates' }).click()
    await page.getByRole('link', { name: '£84.00, rows of box 1' }).click()
    expect(plain(await page.getByText(/^5 rows add up/).innerText())).toBe(
      '5 rows add up to £68.00 and PEN 20.00. The return converts these at its exchange rates.',
    )
    expect(
      await page.getByRole('table', { name: 'Exchange rates used, units for one GBP' }).innerText(),
    ).toContain('entered by you')
    expect(faults).toEqual([])
    await page.close()
  })

  it('of a span of months names it in words', async () => {
    const { page } = await console_test.signedIn('/#/returns?type=nz_gst101a&period=2026-08..2026-09')
    await page.locator('.return-head').getByText('Aug – Sep 2026').waitFor()
    await page.close()
  })

  it('that is in no calendar is opened by its form and period', async () => {
    const { page, faults } = await console_test.signedIn('/#/returns')
    await page.getByText('Another return…').click()
    const range = page.locator('.hint').getByText('2026-08..2026-09', { exact: true })
    expect(await range.evaluate((words) => words.getClientRects().length)).toBe(1)
    await page.getByLabel('Form', { exact: true }).selectOption('us_state')
    await page.getByLabel('Period', { exact: true }).fill(String(new Date().getUTCFullYear()))
    await page.getByLabel('Place', { exact: true }).fill('Washington')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('heading', { name: 'Washington: Sales and use tax return' }).waitFor()
    expect(faults).toEqual([])
    await page.close()
  })
})

describe('nexus', () => {
  it('is a map with a list beside it, and a place leads to its registration', async () => {
    const { page, faults } = await console_test.signedIn('/#/nexus')
    await page.getByRole('img', { name: /^Map of the United States\. approaching: Washington/ }).waitFor()
    expect(await page.locator('.tile.approaching title').textContent()).toContain('Washington')
    const list = page.getByRole('table', { name: 'United States, the closest first' })
    expect(plain(await list.locator('tbody').innerText())).toMatch(/\$90,000\.00\s+of \$100,000\.00\s+1\s/)
    // The list comes first, and the map has only the states that there are.
    expect(await page.locator('.nexus > :first-child').locator('table').count()).toBe(1)
    expect(await page.locator('.map-legend').innerText()).not.toMatch(/: 0\b/)
    expect(await list.getByRole('img', { name: '90 % of the threshold' }).count()).toBe(1)
    await list.getByRole('link', { name: 'Washington' }).click()
    await drawerOf(page).getByRole('link', { name: 'Add a registration' }).click()
    const place = drawerOf(page).getByLabel('Place or scheme')
    await place.waitFor()
    expect(await place.inputValue()).toBe('Washington')
    expect(faults).toEqual([])
    await page.close()
  })
})

describe('registrations', () => {
  it('are added by name, and ended with their last day', async () => {
    const { page, faults } = await console_test.signedIn('/#/registrations')
    await page.getByRole('link', { name: 'Add a registration' }).click()
    await page.getByLabel('Place or scheme').fill('EU One Stop Shop')
    await page.getByLabel('Valid from').fill('2026-01-01')
    await page.getByLabel('Filing frequency').selectOption('quarterly')
    await page.getByRole('button', { name: 'Add the registration' }).click()
    const listed = page.getByRole('table', { name: 'Registrations, the newest first' })
    await listed.getByRole('link', { name: 'None yet' }).first().waitFor()
    await listed.getByText('Quarterly (default)').waitFor()
    await listed.getByRole('link', { name: 'EU One Stop Shop' }).click()
    await drawerOf(page)
      .getByRole('link', { name: /^Q\d \d{4}, due/ })
      .waitFor()
    await page.getByLabel('Last day').fill('2026-06-30')
    await page.getByRole('button', { name: 'End', exact: true }).click()
    await drawerOf(page).getByText('1 Jan 2026 to 30 Jun 2026').waitFor()
    const { registrations } = await console_test.api('GET', '/v1/registrations')
    expect(registrations).toMatchObject([{ scheme: 'oss_union', valid_to: '2026-06-30' }, {}])
    expect(faults).toEqual([])
    await page.close()
  })
})

describe('stock in a state', () => {
  it('is added by name in the settings, obliges in Nexus, and is ended and removed', async () => {
    const { page, faults } = await console_test.signedIn('/#/settings')
    const card = page.getByRole('region', { name: 'Offices, staff and stock' })
    await card.getByLabel('Place').fill('Georgia')
    await card.getByLabel('What is there').selectOption('stock')
    await card.getByLabel('First day').fill('2026-02-01')
    await card.getByRole('button', { name: 'Add', exact: true }).click()
    await card.getByText('Stock in Georgia').first().waitFor()
    await page.goto(`${console_test.service.origin}/console#/nexus/US-GA`)
    await drawerOf(page).getByText('Stock since 1 Feb 2026').waitFor()
    expect(await drawerOf(page).innerText()).toContain(
      'With physical presence you must register whatever the threshold',
    )
    await page.goto(`${console_test.service.origin}/console#/settings`)
    await card.getByLabel('What ends').selectOption({ label: 'Stock in Georgia, since 1 Feb 2026' })
    await card.getByLabel('On its last day').fill('2026-06-30')
    await card.getByRole('button', { name: 'End', exact: true }).click()
    await card.getByText('1 Feb 2026 to 30 Jun 2026').waitFor()
    await card.getByRole('button', { name: 'Remove Stock in Georgia' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await card.getByText('Stock in Georgia').waitFor({ state: 'detached' })
    expect((await console_test.api('GET', '/v1/account'))['establishments']).toEqual([])
    expect(faults).toEqual([])
    await page.close()
  })
})

describe('webhooks', () => {
  it('are added with a secret that is shown once, get events, and send them again', async () => {
    const { page, faults } = await console_test.signedIn('/#/webhooks')
    await page.getByRole('link', { name: 'Add a webhook' }).first().click()
    await page.getByLabel('Address').fill(receiver_url)
    await page.getByLabel('Description').fill(EVIL_NAME)
    await page.locator('[value="transaction.created"]').check()
    await page.getByRole('button', { name: 'Add the webhook' }).click()
    const secret = page.getByRole('region', { name: 'The signing secret' })
    expect(await secret.locator('code').innerText()).toMatch(/^whsec_/)
    await page.getByRole('button', { name: 'I have stored it' }).click()
    await secret.waitFor({ state: 'detached' })
    await page.getByText(EVIL_NAME).waitFor()
    expect(await page.content()).not.toContain('whsec_')
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await page.locator('.toast').getByText('It arrived: 204').waitFor()

    await sellOneMore()
    const before = received
    await page.reload()
    await page.getByRole('link', { name: 'transaction.created' }).click()
    expect(await page.getByRole('region', { name: 'What is sent' }).innerText()).toContain('"uk-3"')
    await page.getByRole('button', { name: 'Send again' }).click()
    await expect.poll(() => received).toBe(before + 1)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByRole('button', { name: 'Disable' }).waitFor()
    await page.getByText('Rotate the signing secret').click()
    await page.getByRole('button', { name: 'Rotate', exact: true }).click()
    await secret.waitFor()
    expect(faults).toEqual([])
    await page.close()
  })
})

describe('keys', () => {
  it('are created with chosen scopes, shown once, and refused after they are revoked', async () => {
    const { page, faults } = await console_test.signedIn('/#/keys')
    await page.getByRole('link', { name: 'Create a key' }).click()
    await page.getByLabel('Name').fill(EVIL_NAME)
    await page.getByRole('button', { name: 'Create the key' }).click()
    await page.getByText('Choose at least one').waitFor()
    await page.getByLabel('Calculate tax, read rates and thresholds').check()
    await page.getByRole('button', { name: 'Create the key' }).click()
    const key = await page.getByRole('region', { name: 'The key' }).locator('code').innerText()
    const statusWith = async (path: string) => {
      const answer = await fetch(console_test.service.origin + path, {
        headers: { Authorization: `Bearer ${key}` },
      })
      return answer.status
    }
    expect(await statusWith('/v1/metadata/product-types')).toBe(200)
    expect(await statusWith('/v1/transactions')).toBe(403)
    await page.getByRole('button', { name: 'I have stored it' }).click()
    await page.getByRole('table').getByRole('link', { name: EVIL_NAME }).click()
    expect(await page.content()).not.toContain(key)
    await page.getByRole('button', { name: 'Revoke…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('table').getByRole('link', { name: EVIL_NAME }).waitFor({ state: 'detached' })
    await expect.poll(() => statusWith('/v1/metadata/product-types')).toBe(401)
    expect(faults).toEqual([])
    await page.close()
  })
})

describe('settings', () => {
  it('are saved by name, beside the usage of the account', async () => {
    const { page, faults } = await console_test.signedIn('/#/settings')
    const save = page.getByRole('button', { name: 'Save changes' })
    await page.getByText('Not set. In 12 months.').waitFor()
    expect(await save.count()).toBe(0)
    await page.getByLabel('Name').fill(EVIL_NAME)
    await page.getByLabel('UK quarters end in').selectOption('1')
    const profile = page.getByRole('region', { name: 'Account', exact: true })
    await profile.getByRole('button', { name: 'Save changes' }).click()
    await page.locator('.toast').getByText('The settings are saved').waitFor()
    await expect.poll(() => save.count()).toBe(0)
    expect(await page.evaluate('document.activeElement.tagName')).toBe('FORM')
    expect(await console_test.api('GET', '/v1/account')).toMatchObject({
      name: EVIL_NAME,
      country: 'US',
      region: 'CA',
    })
    expect(await page.getByRole('region', { name: /^Usage/ }).innerText()).toMatch(/API keys\s+\d of/)
    for (const part of ['Periods', 'Usage']) {
      await page.getByRole('navigation', { name: 'Settings' }).getByRole('button', { name: part }).click()
      expect(await page.evaluate('document.activeElement.textContent')).toMatch(new RegExp(`^${part}`))
    }
    expect(faults).toEqual([])
    await page.close()
  })
})

describe('rates and sources', () => {
  it('show the taxes that a rate is made of, and say what a rate is worth that nobody compared', async () => {
    const { page, faults } = await console_test.signedIn('/#/rates?place=GH')
    const now = page.getByRole('table', { name: 'Ghana: in force today' })
    await now.getByText('VAT 15 % + NHIL 2.5 % + GETFund levy 2.5 %').waitFor()
    await page.goto(`${console_test.service.origin}/console#/rates?place=DE`)
    await page.getByRole('table', { name: 'Germany: in force today' }).waitFor()
    const not_yet = await page.getByText('Not yet', { exact: true }).count()
    expect(await page.getByText('nobody has compared it with its source').count()).toBe(Math.min(not_yet, 1))
    expect(faults).toEqual([])
    await page.close()
  })

  it('show the history of a rate with its name in words, and the state of a region', async () => {
    const { page, faults } = await console_test.signedIn('/#/rates')
    await page.getByLabel('Country, state or province').fill('Germany')
    await page.getByRole('button', { name: 'Show its rates' }).click()
    const standard = page.getByRole('table', { name: 'Standard rate (Umsatzsteuer)' })
    await standard.getByText('1 Jul 2020 to 31 Dec 2020').waitFor()
    expect(plain(await standard.innerText())).toContain('16 %')
    const now = page.getByRole('table', { name: 'Germany: in force today' })
    expect(await now.innerText()).toContain('Reduced rate (Umsatzsteuer)')
    const freshness = page.getByRole('table', { name: 'Freshness by region' })
    const rowOf = (name: string) => freshness.getByRole('row', { name }).innerText()
    // The tick of another test may have begun runs, which reach no source here.
    expect(await rowOf('New Zealand')).toMatch(/Shipped with data of \d+ \w+ \d{4}/)
    expect(await rowOf('Exchange rates, ECB')).toMatch(/They come with the first run/)
    await page.getByText('As shipped: no collector has read this data').waitFor()
    await page.getByRole('link', { name: 'European Union' }).click()
    await drawerOf(page)
      .getByText(/^The collector has not run yet\. Shipped with data of|^The last run$/)
      .waitFor()
    expect(faults).toEqual([])
    await page.close()
  })
})

describe('data reviews', () => {
  it('show what was found beside what is in force, and keep the reason of a refusal', async () => {
    const [key, review] = [await keyOf('Operator', ['*', 'operator']), await waitingReview()]
    const { page } = await console_test.signedIn('/#/reviews', {}, key)
    await page.getByRole('link', { name: 'United Kingdom: VAT, standard rate' }).click()
    const drawer = drawerOf(page)
    expect(await drawer.getByRole('region', { name: 'Excerpt' }).innerText()).toBe('Standard rate | 22%')
    expect(await drawer.innerText()).toMatch(
      /Waits for a second source or a second day[^]*Reason[^]*First seen/,
    )
    await expectAccessible(page)
    await keepScreenshot(page, 'console-reviews-light')
    await drawer.getByRole('button', { name: 'Refuse United Kingdom: VAT, standard rate' }).click()
    await drawer.getByText('Say why').waitFor()
    expect(await drawer.getByLabel('Reason').getAttribute('aria-invalid')).toBe('true')
    await drawer.getByLabel('Reason').fill('A typing error of the page')
    await drawer.getByRole('button', { name: 'Refuse United Kingdom: VAT, standard rate' }).click()
    await page.locator('.toast').getByText('United Kingdom: VAT, standard rate: refused').waitFor()
    const { db, dispose } = await openLocal(console_test.service.state)
    const stored = await db
      .prepare('SELECT status, decision_reason FROM reviews WHERE id = ?')
      .bind(review)
      .first()
    await dispose()
    expect(stored).toEqual({ status: 'refused', decision_reason: 'A typing error of the page' })
    await page.close()
  })
})

const VIEWS = {
  returns: 'returns',
  return: `returns?type=uk_vat100&period=${QUARTER.name}`,
  figure: `returns/1?type=uk_vat100&period=${QUARTER.name}`,
  nexus: 'nexus',
  'nexus-place': 'nexus/US-WA',
  registrations: 'registrations',
  'new-registration': 'registrations/new',
  webhooks: 'webhooks',
  'new-webhook': 'webhooks/new',
  keys: 'keys',
  'new-key': 'keys/new',
  settings: 'settings',
  rates: 'rates?place=DE',
} as const

describe.each(Object.entries(CONSOLE_LOOKS))('in %s', (look, options) => {
  it.each(Object.entries(VIEWS))('%s is accessible', async (name, path) => {
    const { page, faults } = await console_test.signedIn(`/#/${path}`, options)
    await page.locator('main :is(table, form, svg, .obligations):visible').first().waitFor()
    await page.waitForLoadState('networkidle')
    await expectAccessible(page)
    await keepScreenshot(page, `console-${name}-${look}`)
    expect(faults).toEqual([])
    await page.close()
  })
})

describe('an account without records', () => {
  it.each(['returns', 'nexus', 'registrations', 'webhooks'])('%s says what would be here', async (view) => {
    const { page, faults } = await console_test.signedIn(`/#/${view}`, {}, await keyOf(`New ${view}`, ['*']))
    await page.locator('.empty').first().waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, `console-${view}-empty`)
    expect(faults).toEqual([])
    await page.close()
  })
})
