import { linkTo, readAddress } from '../address.ts'
import { callApi, Failure, newIdempotencyKey } from '../api.ts'
import { button, definitions, element, field, form, select } from '../legacy/elements.js'
import { formatDay, moment } from '../legacy/format.js'
import { badge } from '../legacy/badge.js'
import { choice } from '../legacy/choice.js'
import { confirmed } from '../parts/dialog.tsx'
import { load } from '../legacy/load.js'
import { jurisdictions, placeNames } from '../names.ts'
import { table } from '../legacy/table.js'
import { toast } from '../parts/toast.tsx'
import { readRegistrations, stateOfRegistration } from '../registrations/read-registrations.js'
import { periodOfObligation } from '../returns/obligation-list.js'
import { periodWords } from '../returns/period-words.ts'
import { linkToReturn } from '../returns/return-address.ts'
import { nameOfPlace, SCHEMES } from '../schemes.ts'
import { withSpaces } from '../words.ts'

/**
 * @import { z } from 'zod'
 * @import { ObligationsAnswer } from '../../src/obligations/schemas.ts'
 * @import { RegistrationAnswer } from '../../src/registrations/schemas.ts'
 * @import { Child } from '../legacy/elements.js'
 * @import { Drawer } from '../legacy/drawer.js'
 * @import { Registration } from '../registrations/read-registrations.js'
 * @import { Obligation } from '../returns/obligation-list.js'
 * @import { Page } from '../legacy/page.ts'
 */

const FREQUENCIES = /** @type {[string, string][]} */ ([
  ['', 'As usual in that place'],
  ['monthly', 'Monthly'],
  ['two_monthly', 'Every two months'],
  ['quarterly', 'Quarterly'],
  ['six_monthly', 'Every six months'],
  ['annual', 'Annually'],
])

/** Reads the list again. @type {() => Promise<void>} */
let reload = () => Promise.resolve()

/**
 * The places and schemes in which the seller collects tax.
 * @param {Page} page
 */
export function show({ place, actions }) {
  actions.replaceChildren(
    element('a', { class: 'button first', href: '#/registrations/new' }, 'Add a registration'),
  )
  reload = () =>
    load(place, async () => {
      const [registrations, names, due] = await Promise.all([
        readRegistrations(),
        placeNames(),
        readNextReturns(),
      ])
      return listOf(registrations, names, due)
    })
  return reload()
}

/**
 * @param {Registration[]} registrations
 * @param {ReadonlyMap<string, string>} names
 * @param {ReadonlyMap<string, Obligation>} due
 */
function listOf(registrations, names, due) {
  return table({
    caption: 'Registrations, the newest first',
    rows: registrations,
    href: ({ id }) => linkTo('registrations', { id }),
    empty: {
      title: 'No registrations',
      text: 'Add the places and schemes where you are registered: the service then collects their tax and lists their returns.',
      action: element('a', { class: 'button', href: '#/registrations/new' }, 'Add a registration'),
    },
    columns: [
      { head: 'Place or scheme', cell: (each) => nameOf(each, names) },
      { head: 'State', phone: 'figure', cell: (each) => badge(stateOfRegistration(each)) },
      { head: 'Number', cell: ({ registration_number }) => registration_number },
      { head: 'Valid', cell: validity },
      { head: 'Files', cell: ({ filing_frequency }) => frequencyWords(filing_frequency) },
      { head: 'Next return', cell: ({ id }) => nextReturn(due.get(id)) },
    ],
  })
}

/**
 * The next return of each registration that is due within three months. Empty if the key may not read
 * them.
 */
async function readNextReturns() {
  /** @type {z.output<typeof ObligationsAnswer> | null} */
  const answer = await callApi('GET', '/v1/obligations', { query: { limit: '100' } }).catch(
    (/** @type {unknown} */ thrown) => {
      if (thrown instanceof Failure && thrown.status === 403) return null
      throw thrown
    },
  )
  /** @type {Map<string, Obligation>} */
  const next = new Map()
  for (const each of answer?.obligations ?? [])
    if (each.status !== 'filed' && !next.has(each.registration_id)) next.set(each.registration_id, each)
  return next
}

/** @param {Obligation | undefined} due */
function nextReturn(due) {
  if (due === undefined) return null
  const words = `${periodWords(due.period)}, due ${formatDay(due.last_date)}`
  const asked = periodOfObligation(due)
  return asked === null ? words : element('a', { href: linkToReturn(asked) }, words)
}

/**
 * @param {Pick<Registration, 'jurisdiction_id' | 'scheme'>} registration
 * @param {ReadonlyMap<string, string>} names
 */
function nameOf({ jurisdiction_id, scheme }, names) {
  return nameOfPlace(jurisdiction_id ?? scheme ?? '', names)
}

/** @param {Registration} registration */
function validity({ valid_from, valid_to }) {
  return valid_to === null
    ? `since ${formatDay(valid_from)}`
    : `${formatDay(valid_from)} to ${formatDay(valid_to)}`
}

/** @param {string | null} frequency */
function frequencyWords(frequency) {
  return FREQUENCIES.find(([value]) => value === (frequency ?? ''))?.[1] ?? withSpaces(frequency ?? '')
}

/**
 * One registration, or the form of a new one.
 * @param {Drawer} drawer
 * @param {string} id `new` for the form
 * @returns {Promise<Child[]>}
 */
export async function open(drawer, id) {
  if (id === 'new') return newRegistration(drawer)
  const path = `/v1/registrations/${encodeURIComponent(id)}`
  /** @type {z.output<typeof RegistrationAnswer>} */
  const registration = await callApi('GET', path)
  const names = await placeNames()
  drawer.setTitle(nameOf(registration, names), badge(stateOfRegistration(registration)))
  return [
    definitions([
      ['Number', registration.registration_number],
      ['Valid', validity(registration)],
      ['Files', frequencyWords(registration.filing_frequency)],
      ['Added', moment(registration.created_at)],
    ]),
    changeForm(drawer, path, registration),
    endForm(drawer, path, registration),
    deletePart(path, nameOf(registration, names)),
  ]
}

/** @param {Drawer} drawer */
async function newRegistration(drawer) {
  drawer.setTitle('Add a registration')
  const schemes = Object.entries(SCHEMES).map(([value, name]) => ({ value, name, beside: 'scheme' }))
  const places = choice('Place or scheme', [...schemes, ...(await jurisdictions())], {
    chosen: readAddress().query.get('place') ?? '',
    hint: 'Such as Germany, Texas or EU One Stop Shop',
    required: true,
  })
  const number = element('input', { maxlength: 100, autocomplete: 'off' })
  const from = element('input', { type: 'date', required: true })
  const frequency = select(FREQUENCIES, '')
  const idempotency_key = newIdempotencyKey()
  const fields = [
    places.shown,
    field('Registration number', number, 'It is printed on the files for the office'),
    field('Valid from', from, 'The first day on which you collect the tax'),
    field('Files', frequency, 'As the office has told you'),
  ]
  const made = form('Add the registration', fields, async () => {
    const place = places.read()
    const of = Object.keys(SCHEMES).includes(place ?? '') ? { scheme: place } : { jurisdiction_id: place }
    await callApi('POST', '/v1/registrations', {
      body: {
        ...of,
        valid_from: from.value,
        registration_number: number.value.trim() || null,
        filing_frequency: frequency.value || null,
      },
      idempotency_key,
    })
    toast(`${places.input.value} is added`)
    await leave()
  })
  return [made]
}

/** Closes the drawer and reads the list again. */
async function leave() {
  location.hash = linkTo('registrations')
  await reload()
}

/**
 * @param {Drawer} drawer
 * @param {string} path
 * @param {Registration} registration
 */
function changeForm(drawer, path, { registration_number, filing_frequency }) {
  const number = element('input', { maxlength: 100, autocomplete: 'off', value: registration_number ?? '' })
  const frequency = select(FREQUENCIES, filing_frequency ?? '')
  const fields = [field('Registration number', number), field('Files', frequency)]
  const made = form('Save', fields, async () => {
    const body = {
      registration_number: number.value.trim() || null,
      filing_frequency: frequency.value || null,
    }
    await callApi('PUT', path, { body })
    toast('The registration is changed')
    await Promise.all([drawer.refresh(), reload()])
  })
  return element('section', {}, element('h3', {}, 'Change'), made)
}

/**
 * @param {Drawer} drawer
 * @param {string} path
 * @param {Registration} registration
 */
function endForm(drawer, path, { valid_from, valid_to }) {
  const last = element('input', { type: 'date', required: true, min: valid_from, value: valid_to ?? '' })
  const made = form(
    'End',
    [field('Last day', last, 'From the next day on, no tax is collected here')],
    async () => {
      await callApi('PUT', path, { body: { valid_to: last.value } })
      toast(`The registration ends on ${formatDay(last.value)}`)
      await Promise.all([drawer.refresh(), reload()])
    },
  )
  return element('section', {}, element('h3', {}, 'End'), made)
}

/**
 * @param {string} path
 * @param {string} name
 */
function deletePart(path, name) {
  const failed = element('div', {})
  const remove = button('Delete…', failed, async () => {
    const sure = await confirmed({
      title: `Delete the registration in ${name}?`,
      text: 'Delete only what was added by mistake. A registration that was valid is ended with its last day.',
      yes: 'Delete',
    })
    if (!sure) return
    await callApi('DELETE', path)
    toast(`The registration in ${name} is deleted`)
    await leave()
  })
  remove.classList.add('dangerous')
  return element('section', {}, element('h3', {}, 'Added by mistake?'), remove, failed)
}
