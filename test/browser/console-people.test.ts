import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM, expectAccessible, expectFits, keepScreenshot } from './browser.ts'
import {
  type AccessTest,
  CONSOLE_ADDRESSES,
  CONSOLE_LOOKS,
  type ConsoleTest,
  openConsole,
  startAccess,
  startConsole,
} from './console.ts'
import { addKeys } from '../support/running-service.ts'

let console_test: ConsoleTest
let access: AccessTest

/** The people of the account, by their roles. Olga is one of another account, too. */
const OLGA = 'olga@people.example'
const ANNA = 'anna@people.example'
const BEN = 'ben@people.example'
const AUDITOR = 'audit@people.example'
const SUPPORT = 'support@people.example'

const OTHER = 'Second company of Olga'

async function fill(): Promise<void> {
  const { api, service } = console_test
  await api('PUT', '/v1/account', { country: 'GB', time_zone: 'UTC', four_eyes: true })
  await api('POST', '/v1/registrations', { jurisdiction_id: 'GB', valid_from: '2024-01-01' })
  for (const [month, external_id] of [
    ['02', 'february'],
    ['05', 'may'],
  ])
    await api('POST', '/v1/transactions', {
      external_id,
      currency: 'GBP',
      transaction_date: `2026-${month}-10`,
      customer: { address: { country: 'GB' } },
      line_items: [{ amount: 10_000, product_type: 'physical_goods' }],
    })
  const people = [
    [OLGA, 'Olga Owner', 'owner'],
    [ANNA, 'Anna Berger', 'accountant'],
    [BEN, 'Ben Okafor', 'filer'],
    [AUDITOR, 'Ada Auditor', 'auditor'],
    [SUPPORT, 'Sam Support', 'support'],
  ]
  for (const [email, name, role] of people) await api('POST', '/v1/people', { email, name, role })
  const [key = ''] = await addKeys(service, { account: OTHER })
  const added = await fetch(`${service.origin}/v1/people`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: OLGA, name: 'Olga Owner', role: 'owner' }),
  })
  expect(added.status, await added.text()).toBe(201)
}

beforeAll(async () => {
  console_test = await startConsole(CHROMIUM)
  access = await startAccess(console_test)
  await fill()
})

afterAll(async () => {
  access?.close()
  await console_test?.close()
})

const inStorage = (page: Page) => page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })')

describe('a person whom Access knows', () => {
  it('is signed in without a key, also after a reload, and signed out by Access', async () => {
    const { page, faults } = await access.signedInAs(ANNA, '', CONSOLE_LOOKS.light)
    const sent: (string | undefined)[] = []
    page.on('request', (asked) => {
      if (asked.url().includes('/v1/')) sent.push(asked.headers()['authorization'])
    })
    const side = page.getByRole('navigation', { name: 'Console' })
    await side.getByText('Anna Berger').waitFor()
    await side.getByText('Accountant', { exact: true }).waitFor()
    expect(await inStorage(page)).toMatch(/^\{"account":"acct_\w{26}"\}$/)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(sent.length).toBeGreaterThan(0)
    expect(sent.every((each) => each === undefined)).toBe(true)
    await expectAccessible(page)
    await keepScreenshot(page, 'people-signed-in')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/console/')
    await page.getByLabel('API key').waitFor()
    expect(await inStorage(page)).toBe('{}')
    expect(faults).toEqual([])
    await page.close()
  })

  it('may use a key instead, which then sends no cookie', async () => {
    const { page } = await openConsole(console_test.browser, `${access.origin}/console/`)
    await page.getByLabel('API key').fill(console_test.service.key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('navigation', { name: 'Console' }).waitFor()
    await page.context().addCookies([{ name: 'signed_in', value: ANNA, url: access.origin }])
    const asked = page.waitForRequest((each) => each.url().includes('/v1/'))
    await page.getByRole('link', { name: 'People' }).click()
    expect((await (await asked).allHeaders())['cookie']).toBe(undefined)
    await page.getByText('Anna Berger').waitFor()
    await page.close()
  })

  it('and who is in no account is told so, beside the form for a key', async () => {
    const url = `${access.origin}/cdn-cgi/access/as?email=stranger%40people.example`
    const { page, faults } = await openConsole(console_test.browser, url, CONSOLE_LOOKS.light)
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').innerText()).toMatch(/not one of the people of an account/)
    await page.getByLabel('API key').waitFor()
    await page.getByRole('button', { name: 'Sign in as another person' }).waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'people-no-member')
    expect(faults).toEqual([])
    await page.close()
  })

  it('and whose access ends is told so at the next click', async () => {
    const { api } = console_test
    const added = await api('POST', '/v1/people', {
      email: 'gone@people.example',
      name: 'Gwen Gone',
      role: 'filer',
    })
    const { page } = await access.signedInAs('gone@people.example')
    // What is asked after the end signs out, too.
    await page.waitForLoadState('networkidle')
    await api('DELETE', `/v1/people/${String(added['id'])}`)
    await page.getByRole('link', { name: 'Customers', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await keepScreenshot(page, 'people-ended')
    expect(await page.getByRole('alert').innerText()).toMatch(/not one of the people|no access/i)
    await page.close()
  })

  it('changes between accounts, each tab by itself, and a new tab has that of the tab before', async () => {
    const { page, faults } = await access.signedInAs(OLGA, '', CONSOLE_LOOKS.light)
    const choice = page.getByLabel('Account', { exact: true })
    expect(await choice.locator('option').allInnerTexts()).toEqual([
      'console-people (sandbox)',
      `${OTHER} (sandbox)`,
    ])
    await choice.selectOption({ label: `${OTHER} (sandbox)` })
    await page.waitForEvent('load')
    await page.getByRole('link', { name: 'Transactions', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor()
    await page.getByText('No transactions yet').or(page.locator('.empty')).first().waitFor()
    expect(await page.getByText('february').count()).toBe(0)
    await keepScreenshot(page, 'people-other-account')
    const opened = page.context().waitForEvent('page')
    await page.evaluate("void open('/console/#/settings', '_blank', 'noopener')")
    const tab = await opened
    await tab.getByLabel('Name', { exact: true }).waitFor()
    expect(await tab.getByLabel('Name', { exact: true }).inputValue()).toBe(OTHER)
    expect(faults).toEqual([])
    await page.context().close()
  })
})

describe('the people of an account', () => {
  it.each(Object.keys(CONSOLE_LOOKS) as (keyof typeof CONSOLE_LOOKS)[])(
    'are shown with what each role allows: %s',
    async (look) => {
      const { page, faults } = await access.signedInAs(OLGA, '/#/people', CONSOLE_LOOKS[look])
      await page.getByRole('link', { name: 'Anna Berger' }).waitFor()
      await expectAccessible(page)
      await keepScreenshot(page, `people-${look}`)
      await page.getByRole('link', { name: 'Anna Berger' }).click()
      const drawer = page.getByRole('complementary', { name: 'Anna Berger' })
      await drawer.getByText('File and reopen returns').waitFor()
      await drawer.getByText('Accountant: keeps the books, registrations and returns').waitFor()
      await expectAccessible(page)
      await keepScreenshot(page, `people-${look}-drawer`)
      expect(faults).toEqual([])
      await page.close()
    },
  )

  it('fit each window', async () => {
    const { page } = await access.signedInAs(OLGA, '/#/people')
    await page.getByRole('link', { name: 'Anna Berger' }).waitFor()
    await expectFits(page, '/#/people')
    await page.close()
  })

  it('are added, changed and removed, and History says by whom', async () => {
    const { page, faults } = await access.signedInAs(OLGA, '/#/people')
    await page.getByRole('link', { name: 'Add a person' }).click()
    await page.getByLabel('E-mail').fill('New@People.example')
    await page.getByLabel('Name', { exact: true }).fill('Nora New')
    await page.getByLabel('Role', { exact: true }).selectOption('auditor')
    await page.getByText('Auditor: reads everything, and changes nothing').waitFor()
    await page.getByRole('button', { name: 'Add the person' }).click()
    const drawer = page.getByRole('complementary', { name: 'Nora New' })
    await drawer.getByText('new@people.example').waitFor()
    const next = drawer.getByRole('region', { name: 'Send Nora New this address' })
    await next.getByText(/^https?:\/\/\S+\/console\/$/).waitFor()
    expect(await next.locator('.first').allInnerTexts()).toEqual(['Copy'])
    expect(await next.getByRole('link', { name: 'Write an e-mail' }).getAttribute('href')).toMatch(
      /^mailto:new%40people\.example\?subject=/,
    )
    await drawer.getByLabel('Role', { exact: true }).selectOption('filer')
    await drawer.getByRole('button', { name: 'Save' }).click()
    await drawer.getByText('What the role Filer allows').waitFor()
    await drawer
      .getByRole('row', { name: /Olga Owner/ })
      .first()
      .waitFor()
    await drawer.getByRole('button', { name: 'Remove…' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('Nora New no longer has access').waitFor()
    await page.getByRole('link', { name: 'Anna Berger' }).waitFor()
    await page.getByRole('link', { name: 'Nora New' }).waitFor({ state: 'detached' })
    expect(faults).toEqual([])
    await page.close()
  })

  it('keep their last owner, and the console says why', async () => {
    const { page } = await access.signedInAs(OLGA, '/#/people')
    await page.getByRole('link', { name: 'Olga Owner' }).click()
    const drawer = page.getByRole('complementary', { name: 'Olga Owner' })
    await drawer.getByRole('button', { name: 'Remove…' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await drawer.getByText(/last owner of the account/).waitFor()
    await drawer.getByLabel('Role', { exact: true }).selectOption('filer')
    await drawer.getByRole('button', { name: 'Save' }).click()
    await drawer
      .getByText(/last owner of the account/)
      .nth(1)
      .waitFor()
    await page.close()
  })

  it('are found by Ctrl-K, and are not offered to who may not read them', async () => {
    const { page } = await access.signedInAs(OLGA)
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('peop')
    await page.getByRole('option', { name: /^People/ }).waitFor()
    await page.close()
    const support = await access.signedInAs(SUPPORT)
    await support.page.getByRole('link', { name: 'Customers', exact: true }).waitFor()
    expect(await support.page.getByRole('link', { name: 'People', exact: true }).count()).toBe(0)
    await support.page.goto(`${access.origin}/console/#/people`)
    await support.page.getByRole('heading', { level: 1, name: /cannot open/ }).waitFor()
    await support.page.close()
  })
})

/** What only reads, moves or leaves, such as the months of a chart. All other buttons change something. */
const HARMLESS =
  /^(Search|Close|Copy|Try again|Download|Load|Show|CSV|Export|Calculate|Find|Look|Filter|Clear|All|Print|Open|\d|$)|’\d\d$/i

it('an auditor opens every view, and is offered no change', async () => {
  const { page, faults } = await access.signedInAs(AUDITOR)
  const offered: string[] = []
  for (const path of CONSOLE_ADDRESSES) {
    if (path.endsWith('/new') || path === 'reviews') continue
    await page.goto(`${access.origin}/console/#/${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.getByRole('heading', { level: 1 }).innerText(), path).not.toMatch(/cannot|does not/)
    const links = await page.locator('main a[href$="/new"]').allInnerTexts()
    const buttons = await page.locator('main button:visible:not(nav *)').allInnerTexts()
    offered.push(
      ...[...links, ...buttons.filter((each) => !HARMLESS.test(each))].map((each) => `${path}: ${each}`),
    )
  }
  expect(offered).toEqual([])
  expect(faults).toEqual([])
  await page.close()
})

describe('a return of an account with four eyes', () => {
  const RETURN = '/#/returns?type=uk_vat100&period=2026-Q1'

  it('is locked and reviewed by one person, and filed by another', async () => {
    const anna = await access.signedInAs(ANNA, RETURN, CONSOLE_LOOKS.light)
    await anna.page
      .getByText(/This account needs two people for a return/)
      .first()
      .waitFor()
    await keepScreenshot(anna.page, 'four-eyes-open')
    await anna.page.getByRole('button', { name: 'Lock figures for review' }).click()
    await anna.page.getByRole('dialog').getByRole('button', { name: 'Lock figures for review' }).click()
    await anna.page.getByText('Locked, not filed, version 1').waitFor()
    await anna.page.getByRole('button', { name: 'Mark as reviewed' }).click()
    await anna.page.getByText('You reviewed this return, so another person must mark it as filed.').waitFor()
    expect(await anna.page.getByRole('button', { name: 'Mark as filed…' }).count()).toBe(0)
    await expectAccessible(anna.page)
    await keepScreenshot(anna.page, 'four-eyes-reviewed-by-me')
    const ben = await access.signedInAs(BEN, RETURN, CONSOLE_LOOKS['phone-dark'])
    await ben.page.getByText('Reviewed by Anna Berger. You may mark it as filed.').waitFor()
    await keepScreenshot(ben.page, 'four-eyes-reviewed-phone')
    await ben.page.getByRole('button', { name: 'Mark as filed…' }).click()
    await ben.page.getByRole('dialog').getByRole('button', { name: 'Mark as filed' }).click()
    await ben.page.getByText('Filed, version 1').waitFor()
    for (const fact of ['Locked by', 'Reviewed by'])
      expect(await ben.page.locator('dl div', { hasText: fact }).innerText()).toContain('Anna Berger')
    expect([...anna.faults, ...ben.faults]).toEqual([])
    await anna.page.close()
    await ben.page.close()
  })

  it('is asked for in the settings by an owner alone', async () => {
    const ben = await access.signedInAs(BEN, '/#/settings')
    const card = ben.page.getByRole('region', { name: 'Two people for a return' })
    await card.getByText('It is required. An owner can change that.').waitFor()
    expect(await card.getByRole('button').count()).toBe(0)
    await ben.page.close()
    const olga = await access.signedInAs(OLGA, '/#/settings', CONSOLE_LOOKS.light)
    const own = olga.page.getByRole('region', { name: 'Two people for a return' })
    await own.getByRole('checkbox').uncheck()
    await own.getByRole('button', { name: 'Save' }).click()
    await olga.page.getByText('Returns need one person now').waitFor()
    await keepScreenshot(olga.page, 'four-eyes-settings')
    await own.getByRole('checkbox').check()
    await own.getByRole('button', { name: 'Save' }).click()
    await olga.page.getByText('Returns need two people now').waitFor()
    expect(olga.faults).toEqual([])
    await olga.page.close()
  })
})
