import { Failure } from '../api.ts'
import { element } from '../legacy/elements.js'

/**
 * @import { z } from 'zod'
 * @import { GrantableScope } from '../../src/accounts/schemas.ts'
 */

/**
 * The scopes with their meaning. `operator` is granted on the command line alone.
 * @type {Readonly<Record<Exclude<z.output<typeof GrantableScope>, 'operator'>, string>>}
 */
const SCOPES = {
  '*': 'Everything in this account',
  'tax:read': 'Calculate tax, read rates and thresholds',
  'transactions:read': 'Read sales and refunds',
  'transactions:write': 'Record sales and refunds',
  'customers:read': 'Read customers and certificates',
  'customers:write': 'Change customers and certificates',
  'reports:read': 'Read reports, returns and nexus',
  'reports:write': 'File and reopen returns',
  'registrations:read': 'Read the account and its registrations',
  'registrations:write': 'Change the account and its registrations',
  'webhooks:read': 'Read webhooks and deliveries',
  'webhooks:write': 'Change webhooks, send deliveries again',
  'keys:read': 'Read the list of keys',
  'keys:write': 'Create, rotate and revoke keys',
  'audit:read': 'Read the audit log',
  'vat:write': 'Ask authorities about VAT ids',
}

/** @type {[name: string, scopes: string[]][]} */
const USES = [
  ['Checkout', ['tax:read', 'transactions:write', 'vat:write']],
  [
    'Accountant',
    [
      'tax:read',
      'transactions:read',
      'customers:read',
      'reports:read',
      'reports:write',
      'registrations:read',
    ],
  ],
  ['Everything', ['*']],
]

/** @param {readonly string[]} scopes */
export function scopeWords(scopes) {
  return scopes.includes('*') ? 'everything' : scopes.join(', ')
}

/**
 * The scopes of a key with their meaning.
 * @param {readonly string[]} scopes
 */
export function scopeList(scopes) {
  const words = new Map(Object.entries(SCOPES))
  return element(
    'ul',
    { class: 'plain-list' },
    ...scopes.map((scope) =>
      element(
        'li',
        {},
        element('code', {}, scope),
        element('span', { class: 'quiet small' }, ` ${words.get(scope) ?? ''}`),
      ),
    ),
  )
}

/**
 * The choice of scopes, with buttons for usual keys.
 * @returns {{ shown: HTMLElement, read: () => string[] }} `read` throws a Failure if nothing is chosen
 */
export function scopeChoice() {
  const boxes = Object.entries(SCOPES).map(([scope, words]) => ({
    scope,
    words,
    box: element('input', { type: 'checkbox' }),
  }))
  const uses = USES.map(([name, scopes]) => {
    const made = element('button', { type: 'button' }, name)
    made.addEventListener('click', () => {
      for (const { scope, box } of boxes) box.checked = scopes.includes(scope)
    })
    return made
  })
  const shown = element(
    'fieldset',
    { class: 'events' },
    element('legend', {}, 'What the key may do'),
    element('div', { class: 'actions', role: 'group', 'aria-label': 'Usual keys' }, ...uses),
    ...boxes.map(({ scope, words, box }) =>
      element(
        'label',
        { class: 'check' },
        box,
        element('span', {}, words, element('code', { class: 'quiet' }, ` ${scope}`)),
      ),
    ),
  )
  const read = () => {
    const chosen = boxes.filter(({ box }) => box.checked).map(({ scope }) => scope)
    if (chosen.length === 0)
      throw new Failure(0, { message: 'What the key may do: choose at least one', reason: 'required' })
    return chosen
  }
  return { shown, read }
}
