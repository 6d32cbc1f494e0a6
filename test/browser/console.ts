import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { newSigningKey, type SigningKey } from '../../scripts/access/assertion.ts'
import { localIssuer } from '../../scripts/access/local-issuer.ts'
import { localAccess } from '../../scripts/access/server.ts'
import { openLocal } from '../../scripts/bindings.ts'
import { newId } from '../../src/platform/database/ids.ts'
import { insertRows } from '../../src/platform/database/insert-rows.ts'
import { launchBrowser, openPage } from './browser.ts'
import { type RunningService, runningService } from '../support/running-service.ts'

/** How the console is looked at: by whom, and on what. */
export const CONSOLE_LOOKS = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  'phone-light': { colorScheme: 'light', viewport: { width: 390, height: 844 } },
  'phone-dark': { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
} as const

/** A page of the console, and what went wrong in it: failed scripts, broken policies, requests to elsewhere. */
type ConsolePage = { page: Page; faults: string[] }

/** A service with a browser for tests of the console. */
export type ConsoleTest = {
  service: RunningService
  browser: Browser
  /** Sends a request with the key of the service. Throws if it is refused. */
  api: (method: string, path: string, body?: object) => Promise<Record<string, unknown>>
  /** Opens a path such as `/#/nexus` with the key, or with that of somebody else. */
  signedIn: (path?: string, options?: BrowserContextOptions, key?: string) => Promise<ConsolePage>
  close: () => Promise<void>
}

/** The console of the shared service, with a browser and the account of this file. */
export async function startConsole(executable?: string): Promise<ConsoleTest> {
  const service = runningService()
  const browser = await launchBrowser(executable)
  return {
    service,
    browser,
    api: (method, path, body) => request(service, method, path, body),
    signedIn: async (path = '', options = {}, key = service.key) => {
      const opened = await openConsole(browser, `${service.origin}/console${path}`, options)
      await signIn(opened.page, key)
      await opened.page.getByRole('navigation', { name: 'Console' }).waitFor()
      return opened
    },
    close: () => browser.close(),
  }
}

/** Access in front of the service of the console, as `npm run access` has it. */
export type AccessTest = {
  origin: string
  /** Opens a path such as `/#/nexus` as a person, without a key. */
  signedInAs: (email: string, path?: string, options?: BrowserContextOptions) => Promise<ConsolePage>
  close: () => void
}

/** Puts Access in front of the service. Nobody is signed in at first. */
export async function startAccess({ service, browser }: ConsoleTest): Promise<AccessTest> {
  const service_port = Number(new URL(service.origin).port)
  const origin = localIssuer(service_port)
  const key = await signingKeyOf(service)
  const server = localAccess({ service_port, issuer: origin, key, email: null })
  await once(server.listen(service_port + 1, '127.0.0.1'), 'listening')
  return {
    origin,
    signedInAs: async (email, path = '', options = {}) => {
      const as = `${origin}/cdn-cgi/access/as?email=${encodeURIComponent(email)}`
      const opened = await openConsole(browser, as, options)
      if (path !== '') await opened.page.goto(`${origin}/console${path}`)
      await opened.page.getByRole('navigation', { name: 'Console' }).waitFor()
      return opened
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** One key for all files, because the service looks for new keys twice a minute at most. */
async function signingKeyOf({ state }: RunningService): Promise<SigningKey> {
  const path = join(state, 'access-key.json')
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8'))
  const key = await newSigningKey()
  writeFileSync(path, JSON.stringify(key))
  return key
}

/** Opens the console without signing in. */
export async function openConsole(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<ConsolePage> {
  const page = await openPage(browser, options)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  // The browser reports each refused request; what the service refuses is the business of the tests.
  page.on(
    'console',
    (message) =>
      message.type() === 'error' && !/status of 4/.test(message.text()) && faults.push(message.text()),
  )
  page.on(
    'request',
    (asked) => /^(http:\/\/127\.0\.0\.1|data:|blob:)/.test(asked.url()) || faults.push(asked.url()),
  )
  await page.goto(url)
  return { page, faults }
}

export async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Amounts are set with spaces that do not break. */
export function plain(text: string): string {
  return text.replaceAll(/[\u00a0\u202f]/g, ' ')
}

async function request(service: RunningService, method: string, path: string, body?: object) {
  const response = await fetch(service.origin + path, {
    method,
    headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer: Record<string, unknown> = await response.json()
  if (!response.ok) throw new Error(JSON.stringify(answer))
  return answer
}

/** The views of the console, and the forms for new records. Reviews are for an operator. */
export const CONSOLE_ADDRESSES = [
  'overview',
  'transactions',
  'transactions/new',
  'returns',
  'nexus',
  'customers',
  'customers/new',
  'certificates',
  'calculation',
  'local-taxes?postal_code=30318',
  'registrations',
  'registrations/new',
  'rates?place=DE',
  'webhooks',
  'webhooks/new',
  'shops',
  'shops/new',
  'keys',
  'keys/new',
  'people',
  'people/new',
  'settings',
  'reviews',
] as const

/** A shop on Saleor of the account, with orders of these numbers that were refused. Returns its id. */
export async function addShop({ api, service }: ConsoleTest, host: string, numbers: readonly string[]) {
  const account_id = String((await api('GET', '/v1/account'))['id'])
  const now = new Date().toISOString()
  const id = newId('sal')
  const shop = { id, account_id, saleor_api_url: `https://${host}/graphql/`, key_id: newId('key') }
  const sealed = { api_key: 'sealed', token_hash: null, token_expires_at: now, created_at: now }
  const refused = { install_id: id, account_id, reason: 'invalid_region', field: 'customer.address.region' }
  const { db, dispose } = await openLocal(service.state)
  await db.batch([
    ...insertRows(db, 'saleor_installs', [
      { ...shop, ...sealed, registered_at: now, orders_read_until: now },
    ]),
    ...insertRows(
      db,
      'saleor_refused_orders',
      numbers.map((number) => ({
        ...refused,
        order_id: `T3JkZXI6${number}==`,
        number,
        since: now,
        tried_at: now,
      })),
    ),
  ])
  await dispose()
  return id
}
