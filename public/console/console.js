import { callApi, Failure, setApiKey } from './api.js'
import { element, failureNotice, field, form, announce } from './elements.js'
import { calculation } from './views/calculation.js'
import { exemptions } from './views/exemptions.js'
import { localTaxes } from './views/local-taxes.js'
import { nexus } from './views/nexus.js'
import { reviews } from './views/reviews.js'
import { taxByMonth } from './views/tax-by-month.js'
import { transactions } from './views/transactions.js'
import { webhooks } from './views/webhooks.js'

/**
 * @import { z } from 'zod'
 * @import { AccountAnswer } from '../../src/accounts/schemas.ts'
 */

/**
 * A page of the console. `show` fills the given element, which is removed when the user opens another page.
 * @typedef {{
 *   path: string, title: string, show: (place: HTMLElement, id: string | null) => void | Promise<void>
 * }} View
 */

/** @type {readonly [View, ...View[]]} */
const VIEWS = [calculation, localTaxes, transactions, nexus, taxByMonth, exemptions, webhooks, reviews]

const main = elementWithId('content')
const signed_in = elementWithId('signed-in')
let is_signed_in = false

elementWithId('sign-out').addEventListener('click', () => signOut())
// The browser may keep the page for its Back button, but it must not keep the key.
addEventListener('pagehide', () => signOut())
addEventListener(
  'hashchange',
  () => is_signed_in && (location.hash === '' || location.hash.startsWith('#/')) && void showView(),
)
signOut()

/** @param {Failure | null} why null if the user signed out */
function signOut(why = null) {
  is_signed_in = false
  setApiKey('')
  signed_in.hidden = true
  document.title = 'Console'
  const key = element('input', { type: 'password', required: true, autocomplete: 'off', spellcheck: 'false' })
  const signIn = form(
    'Sign in',
    [field('API key', key, 'The key stays in this page only, until you reload or leave it.')],
    () => signInWith(key),
  )
  main.replaceChildren(
    element('h1', {}, 'Console'),
    element('p', {}, 'For accountants and support: sign in with an API key.'),
    signIn,
  )
  if (why !== null) main.append(failureNotice(why))
  announce('')
  key.focus()
}

/** @param {HTMLInputElement} field */
async function signInWith(field) {
  setApiKey(field.value.trim())
  const name = await accountName()
  setApiKey(field.value.trim(), signOut)
  field.value = ''
  is_signed_in = true
  elementWithId('account').replaceChildren(name)
  signed_in.hidden = false
  await showView()
}

/** The name of the account. If the key may not read it, the key is still valid. */
async function accountName() {
  try {
    /** @type {z.output<typeof AccountAnswer>} */
    const account = await callApi('GET', '/v1/account')
    return account.sandbox ? `${account.name} (sandbox)` : account.name
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.status === 403) return 'Signed in'
    throw thrown
  }
}

async function showView() {
  const [, path = '', id = null] = location.hash.split('/')
  const view = VIEWS.find((each) => each.path === path) ?? VIEWS[0]
  elementWithId('views').replaceChildren(
    ...VIEWS.map((each) =>
      element('a', { href: `#/${each.path}`, 'aria-current': each === view && 'page' }, each.title),
    ),
  )
  document.title = `${view.title} · Console`
  announce('')
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
function elementWithId(id) {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The page has no #${id}`)
  return found
}
