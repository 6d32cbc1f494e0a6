import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Scope } from '../../src/platform/database/values/scopes.ts'
import { expectAccessible, expectSteady, keepScreenshot } from './browser.ts'
import { CONSOLE_LOOKS, type ConsoleTest, openConsole, signIn, startConsole } from './console.ts'
import { SERVICE_NAME } from '../../src/interfaces/pages/navigation.ts'
import { addKeys } from '../support/running-service.ts'

let console_test: ConsoleTest

beforeAll(async () => {
  console_test = await startConsole()
})

afterAll(() => console_test?.close())

/** A key of another account. */
async function keyOf(account: string, scopes: readonly Scope[]): Promise<string> {
  const [key = ''] = await addKeys(console_test.service, { account, scopes })
  return key
}

async function addCustomer(key: string, name: string): Promise<void> {
  const { status } = await fetch(`${console_test.service.origin}/v1/customers`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name }),
  })
  expect(status).toBe(201)
}

describe('the key', () => {
  it('is only in the storage of the tab, survives a reload, and is gone after the sign-out', async () => {
    const { page, faults } = await console_test.signedIn('/#/nexus')
    const { key } = console_test.service
    expect(await page.locator('#account').innerText()).toBe('console-frame (sandbox)')
    expect(await page.context().storageState({ indexedDB: true })).toEqual({ cookies: [], origins: [] })
    const kept = 'JSON.stringify({ ...sessionStorage })'
    expect(await page.evaluate(kept)).toBe(JSON.stringify({ 'api-key': key }))
    expect(
      await page.evaluate('JSON.stringify([{ ...localStorage }, history.state, location.href])'),
    ).not.toContain(key)
    expect(await page.content()).not.toContain(key)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Nexus' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    expect(await page.getByLabel('API key').inputValue()).toBe('')
    expect(await page.evaluate(kept)).toBe('{}')
    expect(await page.getByRole('navigation', { name: 'Console' }).isVisible()).toBe(false)
    await page.reload()
    await page.getByLabel('API key').waitFor()
    expect(faults).toEqual([])
    await page.close()
  })

  it('that is refused after the sign-in leads back to the form with the reason', async () => {
    const key = await keyOf('Gone', ['*'])
    const { page } = await console_test.signedIn('/#/nexus', {}, key)
    await page.evaluate("sessionStorage.setItem('api-key', 'tcs_test_nonsense')")
    await page.reload()
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').innerText()).toMatch(/^Your key is no longer valid, because \w/)
    expect(await page.getByLabel('API key').isVisible()).toBe(true)
    await page.close()
  })

  it('that is not good is refused with the reason', async () => {
    const { page } = await openConsole(console_test.browser, `${console_test.service.origin}/console`)
    await signIn(page, 'tcs_test_nonsense')
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').innerText()).toBe(
      'This key is not valid. Check that you copied all of it.',
    )
    await expectAccessible(page)
    await page.close()
  })
})

describe('the frame', () => {
  it('leads by its sidebar to each view, and puts no border around the heading', async () => {
    const { page, faults } = await console_test.signedIn()
    await page.keyboard.press('Tab')
    const links = page.getByRole('navigation', { name: 'Console' }).getByRole('link')
    for (const name of await links.allInnerTexts()) {
      await links.and(page.getByRole('link', { name, exact: true })).focus()
      await page.keyboard.press('Enter')
      const focused = () =>
        page.evaluate('document.activeElement.tagName + document.activeElement.textContent')
      await expect.poll(focused).toBe(`H1${name}`)
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('none')
    }
    expect(faults).toEqual([])
    await page.close()
  })

  it.each([1280, 390])(
    'says at %d px that an account is for tests, though its name is long',
    async (width) => {
      const key = await keyOf('An account of a name that is wider than the menu and than a phone', ['*'])
      const { page } = await console_test.signedIn('', { viewport: { width, height: 844 } }, key)
      const mark = await page
        .locator('#account')
        .getByText(/^ ?\(sandbox\)$/)
        .boundingBox()
      const room = await page.locator('#account').boundingBox()
      if (mark === null || room === null) throw new Error('it is not drawn')
      expect(mark.x + mark.width).toBeLessThanOrEqual(room.x + room.width)
      expect(mark.height).toBeLessThan(30)
      await keepScreenshot(page, `long-name-${width}`)
      await page.close()
    },
  )

  it.each([1280, 390])(
    'has at %d px the name of the service, and the whole name of the account',
    async (width) => {
      const key = await keyOf('Lindner', ['*'])
      const { page } = await console_test.signedIn('', { viewport: { width, height: 844 } }, key)
      expect((await page.locator('.brand a').innerText()).trim()).toBe(SERVICE_NAME)
      // Its text ends within the sidebar, or the window.
      const spare = `(() => {
        const text = document.createRange()
        text.selectNodeContents(document.querySelector('.brand a'))
        const frame = document.querySelector('.brand').parentElement
        return frame.getBoundingClientRect().right - text.getBoundingClientRect().right
      })()`
      expect(await page.evaluate(spare)).toBeGreaterThan(0)
      const name = page.locator('#account').getByText('Lindner')
      expect(await name.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
      await page.close()
    },
  )

  it('shows reviews to operators alone', async () => {
    const key = await keyOf('Op', ['*', 'operator'])
    const { page } = await console_test.signedIn()
    const reviews = page.getByRole('link', { name: 'Reviews' })
    expect(await reviews.count()).toBe(0)
    await page.close()
    const { page: operator } = await console_test.signedIn('', {}, key)
    expect(await operator.getByRole('link', { name: 'Reviews' }).count()).toBe(1)
    await operator.close()
  })

  it('is a bar of five with the others behind "More" on a phone', async () => {
    const { page } = await console_test.signedIn('', CONSOLE_LOOKS['phone-light'])
    const links = page.getByRole('navigation', { name: 'Console' }).getByRole('link')
    const visible = async () => (await links.all()).length
    await page.getByRole('button', { name: 'More' }).waitFor()
    expect(await links.count()).toBe(5)
    await page.getByRole('button', { name: 'More' }).click()
    expect(await visible()).toBeGreaterThan(5)
    await expectAccessible(page)
    await keepScreenshot(page, 'console-more-phone')
    await page.keyboard.press('Escape')
    expect(await links.count()).toBe(5)
    await page.close()
  })
})

describe('an address', () => {
  it('that names no view says so, and leads back by the menu', async () => {
    const { page, faults } = await console_test.signedIn('/#/nonsense')
    await page.getByRole('heading', { name: 'This view does not exist', level: 1 }).waitFor()
    expect(await page.title()).toBe('This view does not exist · Console')
    expect(await page.locator('#views [aria-current]').count()).toBe(0)
    expect(await page.getByText('This view does not exist').count()).toBe(1)
    await expectAccessible(page)
    await page.locator('main').getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    expect(faults).toEqual([])
    await page.close()
  })

  it.each(['webhooks?webhook=wh_nonsense', 'registrations/reg_nonsense'])(
    'of a record that does not exist says so once, with no second try: #/%s',
    async (path) => {
      const { page, faults } = await console_test.signedIn(`/#/${path}`)
      const notice = page.getByRole('alert').filter({ hasText: 'There is no such record in this account' })
      await notice.waitFor()
      await page.waitForLoadState('networkidle')
      expect(await page.locator('.failure').count()).toBe(1)
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
      expect(faults).toEqual([])
      await page.close()
    },
  )

  it('of rates of a place that does not exist says that the place is not known', async () => {
    const { page, faults } = await console_test.signedIn('/#/rates?place=ZZ')
    await page.getByText('Unknown place').waitFor()
    expect(await page.getByText('record').count()).toBe(0)
    await page.getByLabel('Country, state or province').fill('France')
    await page.getByRole('button', { name: 'Show its rates' }).click()
    await page.getByRole('table', { name: 'France: in force today' }).waitFor()
    expect(faults).toEqual([])
    await page.close()
  })

  it('of a view that the key may not open says so', async () => {
    const key = await keyOf('Reader of rates', ['tax:read'])
    const { page, faults } = await console_test.signedIn('/#/transactions', {}, key)
    await page.getByRole('heading', { name: 'This key cannot open this view', level: 1 }).waitFor()
    await page.getByText('Sign in with a key that has the scope transactions:read').waitFor()
    await page.getByRole('link', { name: 'Overview' }).first().click()
    await page.getByText('This key cannot read records').waitFor()
    expect(await page.getByRole('region').count()).toBe(0)
    expect(faults).toEqual([])
    await page.close()
  })

  it.each(['transactions', 'returns', 'customers'])(
    'of %s is drawn in its place after a reload',
    async (path) => {
      const { page } = await console_test.signedIn()
      await expectSteady(page, `${console_test.service.origin}/console/?again#/${path}`, 0.02)
      await page.close()
    },
  )
})

it('signing out is apart from the views', async () => {
  const { page } = await console_test.signedIn()
  const boxOf = async (name: string) => {
    const box = await page.locator('#views .rest > li').filter({ hasText: name }).first().boundingBox()
    return box ?? { y: 0, height: 0 }
  }
  const [last, out] = [await boxOf('Settings'), await boxOf('Sign out')]
  expect(out.y - last.y).toBeGreaterThan(last.height)
  const line = "getComputedStyle(document.querySelector('#sign-out').parentElement).borderTopStyle"
  expect(await page.evaluate(line)).toBe('solid')
  await page.close()
})

it('the Back button leads to the same rows at the same place', async () => {
  const key = await keyOf('Many customers', ['*'])
  for (let number = 0; number < 130; number += 1) await addCustomer(key, `Customer ${number}`)
  const { page, faults } = await console_test.signedIn('/#/customers', {}, key)
  const more = page.getByRole('button', { name: 'Load more' })
  await more.click()
  await page.getByText('125 of 130').waitFor()
  await more.click()
  await page.getByText('130 of 130').waitFor()
  // Left at once: the event of this scroll comes when another page is there.
  await page.evaluate(`{
    scrollTo(0, 4000)
    history.pushState(null, '', '#/settings')
    dispatchEvent(new HashChangeEvent('hashchange'))
  }`)
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  expect(await page.evaluate('scrollY')).toBe(0)
  const [again] = await Promise.all([
    page.waitForResponse((answer) => /v1\/customers\?.*cursor/.test(answer.url())),
    page.goBack(),
  ])
  await again.finished()
  await expect.poll(() => page.evaluate('scrollY')).toBe(4000)
  await page.getByText('130 of 130').waitFor()
  expect(await page.locator('main tbody tr').count()).toBe(130)
  expect(faults).toEqual([])
  await page.close()
})

describe('what takes long or fails', () => {
  it('shows grey lines after a moment, then the error with its request id, and tries again', async () => {
    const { page } = await console_test.signedIn('/#/nexus')
    let asked = 0
    const answers = Promise.withResolvers<void>()
    await page.route('**/v1/customers?*', async (route) => {
      asked += 1
      if (asked > 1) return route.continue()
      await answers.promise
      const body = { message: 'The database is busy', reason: 'database_busy', request_id: 'req_1' }
      await route.fulfill({ status: 503, json: body })
    })
    await page.getByRole('link', { name: 'Customers' }).click()
    await page.locator('.skeleton').waitFor()
    answers.resolve()
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.innerText()).toContain('The database is busy')
    expect(await alert.innerText()).toContain('req_1')
    expect(await alert.getByRole('button', { name: 'Copy the request id' }).count()).toBe(1)
    await expectAccessible(page)
    await keepScreenshot(page, 'console-failure')
    await alert.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('No customers yet').waitFor()
    await page.close()
  })

  it('says that the service is not reached without a connection, with a way to try again', async () => {
    const { page } = await console_test.signedIn('/#/keys')
    await page.getByRole('table', { name: 'Active API keys' }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Webhooks' }).click()
    const alert = page.getByRole('main').getByRole('alert')
    await alert.getByText('This page could not be loaded').waitFor()
    expect(await alert.getByRole('button', { name: 'Try again' }).count()).toBe(1)
    await page.getByRole('link', { name: 'Keys' }).click()
    await alert.getByText('You are offline. Try again.').waitFor()
    expect(await alert.getByText('Reason:').count()).toBe(0)
    await page.context().setOffline(false)
    await alert.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('table', { name: 'Active API keys' }).waitFor()
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByText('No webhook').first().waitFor()
    await page.close()
  })

  it('says that something is done, and leaves after five seconds', async () => {
    const { page } = await console_test.signedIn('/#/customers/new')
    await page.getByRole('complementary').getByLabel('Name').fill('Toast Ltd')
    const started = Date.now()
    await page.getByRole('button', { name: 'Add the customer' }).click()
    await page.getByText('Toast Ltd is added').waitFor()
    const [told, drawer] = [
      await page.locator('.toast').boundingBox(),
      await page.locator('#drawer').boundingBox(),
    ]
    expect((told?.x ?? 0) + (told?.width ?? 0)).toBeLessThan(drawer?.x ?? 0)
    // A toast stays while the pointer is on it.
    await page.mouse.move(300, 10)
    await page.getByText('Toast Ltd is added').waitFor({ state: 'detached' })
    expect(Date.now() - started).toBeGreaterThan(4_900)
    await page.close()
  })
})

describe('the drawer', () => {
  it('has an address of its own, and leaves the page by the Back button of the browser', async () => {
    const { id } = await console_test.api('POST', '/v1/customers', { name: 'Backward Ltd' })
    const { page, faults } = await console_test.signedIn('/#/nexus')
    await page.goto(`${console_test.service.origin}/console/#/customers/${String(id)}`)
    await page.getByRole('complementary', { name: 'Backward Ltd' }).waitFor()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByRole('complementary').waitFor({ state: 'hidden' })
    expect(page.url()).toMatch(/#\/customers$/)
    await page.goBack()
    await page.getByRole('complementary', { name: 'Backward Ltd' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Nexus' }).waitFor()
    expect(await page.getByRole('complementary').count()).toBe(0)
    expect(faults).toEqual([])
    await page.close()
  })

  it('of a new record stays open with what was typed while the list is filtered', async () => {
    const { page, faults } = await console_test.signedIn('/#/customers/new')
    const name = page.getByRole('complementary', { name: 'New customer' }).getByLabel('Name')
    await name.fill('Half typed Ltd')
    await page.getByRole('searchbox').fill('nobody')
    await page.getByRole('searchbox').press('Enter')
    await page.getByText('No customer matches').waitFor()
    expect(await name.inputValue()).toBe('Half typed Ltd')
    expect(page.url()).toMatch(/#\/customers\/new\?q=nobody$/)
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByRole('complementary').waitFor({ state: 'hidden' })
    expect(page.url()).toMatch(/#\/customers\?q=nobody$/)
    expect(faults).toEqual([])
    await page.close()
  })
})

it('weighs at most 150 KB with each of its views', async () => {
  const { page: first } = await console_test.signedIn()
  const links = first.getByRole('navigation', { name: 'Console' }).getByRole('link')
  const paths = (await links.evaluateAll((found) => found.map((link) => link.getAttribute('href')))).filter(
    (href) => href !== null,
  )
  expect(paths.length).toBeGreaterThan(5)
  await first.close()
  for (const path of paths) {
    const { page } = await console_test.signedIn(`/${path}`)
    await page.waitForLoadState('networkidle')
    const bytes = await page.evaluate<number>(
      `performance.getEntries().filter(({ name }) => name.includes('/console/'))
        .reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0)`,
    )
    console.log(`${path} weighs ${bytes} bytes`)
    expect(bytes, path).toBeLessThan(150_000)
    expect(bytes, path).toBeGreaterThan(40_000)
    await page.close()
  }
})

describe.each(Object.entries(CONSOLE_LOOKS))('in %s', (look, options) => {
  it('the sign-in is accessible', async () => {
    const { page } = await openConsole(
      console_test.browser,
      `${console_test.service.origin}/console`,
      options,
    )
    await page.getByLabel('API key').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, `console-sign-in-${look}`)
    await page.close()
  })
})

it('the view of keys says in words what each may do', async () => {
  const { api } = console_test
  await api('POST', '/v1/api-keys', { name: 'Till', scopes: ['vat:write', 'tax:read', 'transactions:write'] })
  await api('POST', '/v1/api-keys', { name: 'Watch', scopes: ['webhooks:read', 'audit:read'] })
  const { page, faults } = await console_test.signedIn('/#/keys')
  const row = (name: string) => page.getByRole('table').getByRole('row').filter({ hasText: name })
  await row('Till').getByRole('cell', { name: 'Checkout', exact: true }).waitFor()
  const words = 'Read webhooks and deliveries; Read the audit log'
  await row('Watch').getByRole('cell', { name: words, exact: true }).waitFor()
  await row('Watch').getByRole('link').click()
  const may = page.getByRole('complementary').getByRole('listitem')
  await may.first().waitFor()
  expect((await may.allInnerTexts()).slice(0, 2)).toEqual([
    'Read webhooks and deliveries webhooks:read',
    'Read the audit log audit:read',
  ])
  expect(faults).toEqual([])
  await page.close()
})
