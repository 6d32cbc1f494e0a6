import { call, Failure, useKey } from './api.js'
import { element, failureNotice, field, form, say } from './elements.js'
import { calculation } from './views/calculation.js'
import { exemptions } from './views/exemptions.js'
import { nexus } from './views/nexus.js'
import { taxByMonth } from './views/tax-by-month.js'
import { transactions } from './views/transactions.js'
import { webhooks } from './views/webhooks.js'

/**
 * @import { z } from 'zod'
 * @import { AccountAnswer } from '../../src/accounts/schemas.ts'
 */

/**
 * A page of the console. `show` fills the place that it is given, which is thrown away when the person moves on.
 * @typedef {{ path: string, title: string, show: (place: HTMLElement, id: string | null) => void | Promise<void> }} View
 */

/** @type {readonly [View, ...View[]]} */
const VIEWS = [calculation, transactions, nexus, taxByMonth, exemptions, webhooks]

const main = known('content')
const signed_in = known('signed-in')
let is_signed_in = false

known('sign-out').addEventListener('click', () => signOut())
// A page that the browser keeps for its Back button must not keep the key.
addEventListener('pagehide', () => signOut())
addEventListener(
  'hashchange',
  () => is_signed_in && (location.hash === '' || location.hash.startsWith('#/')) && void showView(),
)
signOut()

/** @param {Failure | null} why it was not the person who asked for it */
function signOut(why = null) {
  is_signed_in = false
  useKey('')
  signed_in.hidden = true
  document.title = 'Console'
  const key = element('input', { type: 'password', required: true, autocomplete: 'off', spellcheck: 'false' })
  const signIn = form(
    'Sign in',
    [field('API key', key, 'It stays in this page alone, until you reload or leave it.')],
    () => enter(key),
  )
  main.replaceChildren(
    element('h1', {}, 'Console'),
    element('p', {}, 'For people who look after the books: sign in with an API key.'),
    signIn,
  )
  if (why !== null) main.append(failureNotice(why))
  say('')
  key.focus()
}

/** @param {HTMLInputElement} field */
async function enter(field) {
  useKey(field.value.trim())
  const name = await accountName()
  useKey(field.value.trim(), signOut)
  field.value = ''
  is_signed_in = true
  known('account').replaceChildren(name)
  signed_in.hidden = false
  await showView()
}

/** The account's name tells whose books these are. A key that may not read it is a good key all the same. */
async function accountName() {
  try {
    /** @type {z.output<typeof AccountAnswer>} */
    const account = await call('GET', '/v1/account')
    return account.sandbox ? `${account.name} (sandbox)` : account.name
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.status === 403) return 'Signed in'
    throw thrown
  }
}

async function showView() {
  const [, path = '', id = null] = location.hash.split('/')
  const view = VIEWS.find((each) => each.path === path) ?? VIEWS[0]
  known('views').replaceChildren(
    ...VIEWS.map((each) =>
      element('a', { href: `#/${each.path}`, 'aria-current': each === view && 'page' }, each.title),
    ),
  )
  document.title = `${view.title} · Console`
  say('')
  const heading = element('h1', { tabindex: -1 }, view.title)
  const place = element('div', {})
  main.replaceChildren(heading, place)
  heading.focus()
  try {
    await view.show(place, id === null ? null : decodeURIComponent(id))
  } catch (thrown) {
    place.replaceChildren(failureNotice(thrown))
  }
}

/** @param {string} id */
function known(id) {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The page has no #${id}`)
  return found
}
