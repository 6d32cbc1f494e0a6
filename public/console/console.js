import { callApi, Failure, setApiKey } from './api.js'
import { isSamePage, linkTo, readAddress } from './address.js'
import { announce, element, failureNotice, field, form } from './elements.js'
import { setZone } from './format.js'
import { showNavigation } from './navigation.js'
import { closeDrawer, openDrawer } from './parts/drawer.js'
import { forgetNames } from './parts/names.js'
import { clearToasts } from './parts/toast.js'
import { forgetKey, storedKey, storeKey } from './session.js'
import { VIEWS } from './views.js'

/**
 * @import { z } from 'zod'
 * @import { AccountAnswer } from '../../src/accounts/schemas.ts'
 * @import { Address } from './address.js'
 * @import { Drawer } from './parts/drawer.js'
 * @import { Page, View, ViewModule } from './views.js'
 */

const main = elementWithId('content')
const drawer = elementWithId('drawer')
const account_name = elementWithId('account')

/** The views that the key may see. Empty: nobody is signed in. @type {View[]} */
let views = []

addEventListener('hashchange', ({ oldURL }) => {
  if (views.length > 0 && (location.hash === '' || location.hash.startsWith('#/')))
    showAddress(readAddress(oldURL))
})
addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || event.defaultPrevented || drawer.hidden) return
  if (document.querySelector('dialog[open]') === null) leaveDrawer()
})
addEventListener('keydown', (event) => {
  const search = document.querySelector('input[type="search"]')
  const is_typing =
    event.target instanceof Element && event.target.closest('input, select, textarea') !== null
  if (event.key !== '/' || is_typing || !(search instanceof HTMLElement)) return
  event.preventDefault()
  search.focus()
})
// The Back button can bring back a page of before the sign-out, with all that it showed.
addEventListener('pageshow', ({ persisted }) => persisted && storedKey() === null && location.reload())

void start()

async function start() {
  const key = storedKey()
  if (key === null) return signOut()
  try {
    await signInWith(key)
  } catch (thrown) {
    // A key that is refused is forgotten. If the service does not answer, the next reload tries again.
    if (thrown instanceof Failure && thrown.status === 401) return signOut(thrown)
    main.replaceChildren(failureNotice(thrown, () => location.reload()))
  }
}

/** @param {Failure | null} why null if the user signed out */
function signOut(why = null) {
  views = []
  setApiKey('')
  forgetKey()
  forgetNames()
  clearToasts()
  closeDrawer(drawer)
  elementWithId('views').hidden = true
  account_name.replaceChildren()
  document.body.classList.add('signed-out')
  document.title = 'Console'
  const key = element('input', { type: 'password', required: true, autocomplete: 'off', spellcheck: 'false' })
  const hint =
    'This tab keeps the key until you sign out or close the tab. It is sent to this service only, ' +
    'and never stored in another place.'
  const signIn = form('Sign in', [field('API key', key, hint)], async () => {
    await signInWith(key.value.trim())
    key.value = ''
  })
  main.replaceChildren(
    element(
      'div',
      { class: 'card stack' },
      element('h1', {}, 'Console'),
      element(
        'p',
        { class: 'quiet' },
        'Sales, returns and thresholds of your account. Sign in with an API key.',
      ),
      signIn,
      ...(why === null ? [] : [failureNotice(why)]),
    ),
  )
  announce('')
  key.focus()
}

/**
 * Throws the Failure of a key that is not accepted.
 * @param {string} key
 */
async function signInWith(key) {
  setApiKey(key)
  const [name, is_operator] = await Promise.all([accountName(), isOperator()])
  setApiKey(key, signOut)
  storeKey(key)
  views = VIEWS.filter(({ operators }) => !operators || is_operator)
  account_name.replaceChildren(name)
  document.body.classList.remove('signed-out')
  showAddress(null)
}

/** The name of the account. If the key may not read it, the key is still valid. */
async function accountName() {
  try {
    /** @type {z.output<typeof AccountAnswer>} */
    const account = await callApi('GET', '/v1/account')
    setZone(account.time_zone)
    return account.sandbox ? `${account.name} (sandbox)` : account.name
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.status === 403) return 'Signed in'
    throw thrown
  }
}

/** Whether the key has the scope operator: the service shows reviews to no other key. */
async function isOperator() {
  try {
    await callApi('GET', '/v1/metadata/reviews', { query: { limit: '1' } })
    return true
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.status === 403) return false
    throw thrown
  }
}

/**
 * Shows the view of the address and its drawer. A view that is shown already stays.
 * @param {Address | null} before the address of before; null: nothing is shown yet
 */
function showAddress(before) {
  const address = readAddress()
  const [first] = VIEWS
  const view = views.find(({ path }) => path === address.path) ?? views[0] ?? first
  const loading = view.load()
  if (before === null || !isSamePage(before, address)) showView(view, loading, address)
  if (address.id === null) return closeDrawer(drawer)
  const { id } = address
  const read = async (/** @type {Drawer} */ made) => (await (await loading).open?.(made, id)) ?? []
  void openDrawer(drawer, view.title, read, leaveDrawer)
}

/**
 * @param {View} view
 * @param {Promise<ViewModule>} loading
 * @param {Address} address
 */
function showView(view, loading, { query }) {
  closeDrawer(drawer)
  showNavigation(elementWithId('views'), views, view, () => signOut())
  document.title = `${view.title} · Console`
  announce('')
  const heading = element('h1', { tabindex: -1 }, view.title)
  const actions = element('div', { class: 'actions' })
  const place = element('div', {})
  main.replaceChildren(element('div', { class: 'head' }, heading, actions), place)
  scrollTo(0, 0)
  heading.focus({ preventScroll: true })
  void showIn(loading, { place, actions, query })
}

/**
 * @param {Promise<ViewModule>} loading
 * @param {Page} page
 */
async function showIn(loading, page) {
  try {
    await (await loading).show(page)
  } catch (thrown) {
    const retry = () => {
      page.actions.replaceChildren()
      page.place.replaceChildren()
      void showIn(loading, page)
    }
    page.place.replaceChildren(failureNotice(thrown, retry))
  }
}

/** The address without its record: the list as it was, and the focus where it was. */
function leaveDrawer() {
  const { path, query } = readAddress()
  location.hash = linkTo(path, { query })
}

/** @param {string} id */
function elementWithId(id) {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The page has no #${id}`)
  return found
}
