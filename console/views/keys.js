import { linkTo } from '../address.ts'
import { callApi, Failure, newIdempotencyKey } from '../api.ts'
import { button, definitions, element, field, form } from '../legacy/elements.js'
import { formatDay, moment } from '../legacy/format.js'
import { scopeChoice, scopeList, scopeWords } from '../keys/scopes.js'
import { badge } from '../legacy/badge.js'
import { confirmed } from '../parts/dialog.tsx'
import { secretOnce } from '../legacy/secret-once.js'
import { pagedTable } from '../legacy/table.js'
import { toast } from '../parts/toast.tsx'

/**
 * @import { z } from 'zod'
 * @import { ApiKeysAnswer, NewApiKeyAnswer, RotatedApiKeyAnswer } from '../../src/accounts/schemas.ts'
 * @import { Child } from '../legacy/elements.js'
 * @import { Drawer } from '../legacy/drawer.js'
 * @import { Page } from '../legacy/page.ts'
 * @typedef {z.output<typeof ApiKeysAnswer>['api_keys'][number]} Key
 */

const PAGES_MAX = 10

/** Reads the list again. @type {() => Promise<void>} */
let reload = () => Promise.resolve()

/**
 * The keys of the account.
 * @param {Page} page
 */
export async function show({ place, actions }) {
  actions.replaceChildren(element('a', { class: 'button first', href: '#/keys/new' }, 'Create a key'))
  const list = keyList()
  reload = list.reload
  place.replaceChildren(
    element(
      'p',
      { class: 'quiet lead' },
      'Give each program and each person a key of its own, with no more than it needs.',
    ),
    list.shown,
  )
  await reload()
}

function keyList() {
  return pagedTable({
    caption: 'API keys that are valid',
    href: (/** @type {Key} */ key) => linkTo('keys', { id: key.id }),
    columns: [
      { head: 'Name', cell: nameOf },
      { head: 'State', phone: 'figure', cell: stateBadge },
      { head: 'Begins with', cell: ({ prefix }) => element('code', {}, prefix) },
      { head: 'May do', cell: ({ scopes }) => scopeWords(scopes) },
      {
        head: 'Last used',
        cell: ({ last_used_at }) => (last_used_at === null ? 'never' : formatDay(last_used_at)),
      },
    ],
    read: async (cursor) => {
      const page = await readKeys(Number(cursor ?? '0'))
      const next = Number(cursor ?? '0') + page.api_keys.length
      return { rows: page.api_keys, total: page.total, next_cursor: page.has_more ? String(next) : null }
    },
  })
}

/**
 * @param {number} offset
 * @returns {Promise<z.output<typeof ApiKeysAnswer>>}
 */
function readKeys(offset) {
  return callApi('GET', '/v1/api-keys', { query: { limit: '50', offset: String(offset) } })
}

/** @param {Pick<Key, 'name' | 'prefix'>} key */
function nameOf({ name, prefix }) {
  return name ?? `Key ${prefix}…`
}

/** @param {Key} key */
function stateBadge({ revoked_at, expires_at }) {
  if (revoked_at !== null) return badge(`ends ${formatDay(revoked_at)}`, 'warn')
  return expires_at === null ? badge('active') : badge(`until ${formatDay(expires_at)}`, 'good')
}

/**
 * One key, or the form of a new one.
 * @param {Drawer} drawer
 * @param {string} id `new` for the form
 * @returns {Promise<Child[]>}
 */
export async function open(drawer, id) {
  if (id === 'new') return newKey(drawer)
  const key = await findKey(id)
  drawer.setTitle(nameOf(key), stateBadge(key))
  return [
    definitions([
      ['Begins with', element('code', {}, key.prefix)],
      ['Created', moment(key.created_at)],
      ['Last used', key.last_used_at === null ? 'never' : formatDay(key.last_used_at)],
      ['Expires', key.expires_at === null ? 'never' : moment(key.expires_at)],
      ...(key.revoked_at === null
        ? []
        : [/** @type {[string, Child]} */ (['Ends, because it was rotated', moment(key.revoked_at)])]),
    ]),
    element('section', {}, element('h3', {}, 'It may'), scopeList(key.scopes)),
    key.revoked_at === null ? rotatePart(drawer, key) : null,
    revokePart(key),
  ]
}

/** The API has no route for one key, so it is found in the list. @param {string} id */
async function findKey(id) {
  let offset = 0
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { api_keys, has_more } = await readKeys(offset)
    const found = api_keys.find((each) => each.id === id)
    if (found !== undefined) return found
    if (!has_more) break
    offset += api_keys.length
  }
  throw new Failure(0, { message: 'This key is not valid any more.', reason: 'not_found' })
}

/** @param {Drawer} drawer */
function newKey(drawer) {
  drawer.setTitle('Create a key')
  const name = element('input', { required: true, maxlength: 200, autocomplete: 'off' })
  const expires = element('input', { type: 'date' })
  const scopes = scopeChoice()
  const idempotency_key = newIdempotencyKey()
  const fields = [
    field('Name', name, 'Who or what uses it, such as Checkout of the shop'),
    field('Last day', expires, 'Empty: it ends when the key ends that you use now'),
    scopes.shown,
  ]
  const made = form('Create the key', fields, async () => {
    const body = {
      name: name.value.trim(),
      scopes: scopes.read(),
      ...(expires.value !== '' && { expires_at: `${expires.value}T23:59:59Z` }),
    }
    /** @type {z.output<typeof NewApiKeyAnswer>} */
    const { key } = await callApi('POST', '/v1/api-keys', { body, idempotency_key })
    toast('The key is created')
    void reload()
    showKey(drawer, key)
  })
  return [made]
}

/**
 * @param {Drawer} drawer
 * @param {string | null} key null if the same request was sent before
 */
function showKey(drawer, key) {
  const leave = () => {
    location.hash = linkTo('keys')
  }
  drawer.body.replaceChildren(
    key === null
      ? element(
          'p',
          {},
          'The key was created before, and it is not shown again. Revoke it and create another one.',
        )
      : secretOnce(
          'The key',
          key,
          'Store it where your program reads secrets. The service keeps only its hash.',
          leave,
        ),
  )
}

/**
 * @param {Drawer} drawer
 * @param {Key} key
 */
function rotatePart(drawer, { id }) {
  const hours = element('input', { type: 'number', min: 0, max: 168, value: 24, required: true })
  const idempotency_key = newIdempotencyKey()
  const fields = [field('Hours in which this key stays valid', hours, '0 ends it at once; 168 are 7 days')]
  const made = form('Rotate', fields, async () => {
    const body = { grace_hours: Number(hours.value) }
    /** @type {z.output<typeof RotatedApiKeyAnswer>} */
    const { key } = await callApi('POST', `/v1/api-keys/${id}/rotate`, { body, idempotency_key })
    toast('A new key replaces it')
    void reload()
    showKey(drawer, key)
  })
  return element('section', {}, element('h3', {}, 'Replace by a new key'), made)
}

/** @param {Key} key */
function revokePart(key) {
  const failed = element('div', {})
  const revoke = button('Revoke…', failed, async () => {
    const sure = await confirmed({
      title: `Revoke ${nameOf(key)}?`,
      text: 'Programs that use this key are refused at once. This cannot be undone. If it is the key that you use now, you are signed out.',
      yes: 'Revoke',
    })
    if (!sure) return
    await callApi('DELETE', `/v1/api-keys/${key.id}`)
    toast(`${nameOf(key)} is revoked`)
    location.hash = linkTo('keys')
    await reload()
  })
  revoke.classList.add('dangerous')
  return element('section', {}, element('h3', {}, 'End it now'), revoke, failed)
}
