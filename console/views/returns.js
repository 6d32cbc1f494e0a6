import { element } from '../legacy/elements.js'
import { formatDay, formatMoney } from '../legacy/format.js'
import { badge } from '../legacy/badge.js'
import { load } from '../legacy/load.js'
import { placeNames } from '../names.ts'
import { emptyState } from '../legacy/table.js'
import { filedCard } from '../returns/filed-card.js'
import { formAsPrinted } from '../returns/form-as-printed.js'
import { FORMS } from '../returns/forms.ts'
import { obligationList, periodOfObligation, readCalendar } from '../returns/obligation-list.js'
import { periodWords } from '../returns/period-words.ts'
import { readReturn } from '../returns/read-return.ts'
import { linkToReturn, periodQuery } from '../returns/return-address.ts'
import { returnActions } from '../returns/return-actions.js'
import { returnFiles } from '../returns/return-files.js'
import { returnNotes } from '../returns/return-notes.js'

/**
 * @import { Drawer } from '../legacy/drawer.js'
 * @import { Page } from '../legacy/page.ts'
 * @import { Names } from '../returns/form-as-printed.js'
 * @import { Calendar } from '../returns/obligation-list.js'
 * @import { TaxReturn } from '../returns/read-return.ts'
 */

/**
 * The rows of a figure. Their module is loaded when a figure is opened, so that the workspace stays light.
 * @param {Drawer} drawer
 * @param {string} figure
 */
export async function open(drawer, figure) {
  const { showFigureRows } = await import('../returns/figure-rows.js')
  return showFigureRows(drawer, figure)
}

/**
 * The workspace of returns: what is due beside the form of one return.
 * @param {Page} page
 */
export async function show({ place, actions, query }) {
  const changed = (/** @type {string} */ link) => {
    if (location.hash === link) void show({ place, actions, query }).then(() => focusOn(place))
    else location.hash = link
  }
  const list = element('div', { class: 'list' })
  const shown = element('div', { class: 'return stack' })
  const chosen = periodQuery(query) !== null
  place.replaceChildren(element('div', { class: `workspace ${chosen ? 'chosen' : ''}` }, list, shown))
  let reading = Promise.resolve()
  await load(list, async () => {
    const [calendar, names] = await Promise.all([readCalendar(), placeNames()])
    const asked = chosen ? query : firstToFile(calendar)
    const current = asked === null ? null : linkOf(asked)
    if (asked !== null) reading = showReturn(shown, asked, { calendar, names, changed })
    else shown.replaceChildren(nothingChosen(calendar))
    return [obligationList(calendar, names, current), otherReturn(names)]
  })
  await reading
}

/**
 * Puts the focus on the heading of the return, because the button that had it is gone.
 * @param {HTMLElement} place
 */
function focusOn(place) {
  const heading = place.querySelector('#return')
  if (heading instanceof HTMLElement) heading.focus()
}

/**
 * The form for a return that is not in the calendar. It is loaded when it is first opened.
 * @param {Names} names
 */
function otherReturn(names) {
  const inside = element('div', {})
  const part = element('details', { class: 'other' }, element('summary', {}, 'Another return…'), inside)
  part.addEventListener('toggle', () => {
    if (!part.open || inside.hasChildNodes()) return
    void load(inside, async () => (await import('../returns/other-return.js')).otherReturnForm(names))
  })
  return part
}

/** @param {URLSearchParams} query */
function linkOf(query) {
  const asked = periodQuery(query)
  return asked === null ? null : linkToReturn({ ...asked, jurisdiction_id: asked['jurisdiction_id'] ?? null })
}

/**
 * The return to show if the address names none: the first one that is to be filed.
 * @param {Calendar} calendar
 */
function firstToFile({ obligations }) {
  const wanted = obligations.find(
    ({ status, type }) => type !== null && (status === 'overdue' || status === 'due'),
  )
  const asked = wanted === undefined ? null : periodOfObligation(wanted)
  return asked === null ? null : new URLSearchParams(linkToReturn(asked).split('?')[1])
}

/** @param {Calendar} calendar */
function nothingChosen({ obligations, filed }) {
  if (obligations.length + filed.length > 0)
    return emptyState({
      title: 'Nothing is to be filed',
      text: 'Choose a return in the list to see its figures so far.',
    })
  return emptyState({
    title: 'No returns yet',
    text: 'Returns come from registrations: add the places where you are registered, and their due dates appear here.',
    action: element('a', { class: 'button', href: '#/registrations' }, 'Add a registration'),
  })
}

/**
 * @param {HTMLElement} place
 * @param {URLSearchParams} query of the return
 * @param {{ calendar: Calendar, names: Names, changed: (link: string) => void }} around `changed` shows a
 * return anew, after it was filed or reopened
 */
async function showReturn(place, query, { calendar, names, changed }) {
  const asked = periodQuery(query)
  if (asked === null) return
  await load(
    place,
    async () => {
      const read = await readReturn(asked, query.get('version'))
      const figures = (/** @type {string} */ figure) =>
        linkToReturn(read.figures, {
          figure,
          version: query.get('version'),
          fx_rates: query.get('fx_rates'),
        })
      return [
        element('a', { class: 'back', href: '#/returns' }, 'All returns'),
        returnHead(
          read,
          calendar,
          names,
          element(
            'div',
            { class: 'actions' },
            ...returnActions(read, asked, () => changed(linkToReturn(read.figures))),
          ),
        ),
        ...formAsPrinted(read.figures, names, figures),
        ...returnNotes(read.figures, names, figures, query),
        returnFiles(read, asked),
        ...filedCard(read, calendar),
      ]
    },
    { lines: 10 },
  )
}

/**
 * @param {TaxReturn} read
 * @param {Calendar} calendar
 * @param {Names} names
 * @param {HTMLElement} actions
 */
function returnHead({ figures, filed }, calendar, names, actions) {
  const { type, period, jurisdiction_id, from_date, to_date, totals, currency, supplies } = figures
  const due = calendar.obligations.find((each) => {
    const asked = periodOfObligation(each)
    return asked?.type === type && asked.period === period && asked.jurisdiction_id === jurisdiction_id
  })
  const form = FORMS[type]
  const place = names.get(jurisdiction_id ?? form.of ?? '') ?? jurisdiction_id
  const status = filed?.status ?? due?.status ?? 'open'
  const money = currency ?? supplies[0]?.currency ?? null
  return element(
    'section',
    { class: 'card return-head', 'aria-labelledby': 'return' },
    element(
      'div',
      {},
      element('h2', { id: 'return', tabindex: -1 }, `${place === null ? '' : `${place}: `}${form.name}`),
      element(
        'p',
        {},
        badge(status),
        ` ${periodWords(period)}`,
        due === undefined ? null : `, due ${formatDay(due.last_date)}`,
      ),
      element('p', { class: 'quiet' }, `${formatDay(from_date)} to ${formatDay(to_date)} · ${form.office}`),
      due === undefined ? null : dueDateSource(due),
    ),
    totals === null || money === null
      ? null
      : element(
          'p',
          { class: 'owed' },
          element('span', { class: 'quiet small' }, 'Tax due on sales'),
          element('strong', { class: 'number' }, formatMoney(totals.tax_due, money)),
          totals.corrections_tax_amount === 0
            ? null
            : element(
                'span',
                { class: 'quiet small' },
                `including corrections of ${formatMoney(totals.corrections_tax_amount, money)}`,
              ),
        ),
    actions,
  )
}

/**
 * Where the due date is from, and whether to check it.
 * @param {Calendar['obligations'][number]} due
 */
function dueDateSource({ source, source_url, verified_at, confidence, notes }) {
  const sure = verified_at !== null && confidence === 'high'
  return element(
    'p',
    { class: 'quiet small' },
    'Due date by ',
    element('a', { href: source_url, rel: 'noreferrer' }, source),
    sure ? '.' : ', not verified: check it once with your tax office.',
    notes === null ? null : ` ${notes}`,
  )
}
