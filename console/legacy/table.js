import { button, element, fill } from './elements.js'
import { load } from './load.js'

/** @import { Child } from './elements.js' */

/**
 * A column. A `number` is set right. On a phone a row has two lines: the first column and the one that is the
 * `figure` are its first line, the others its second; `none` is left out there.
 * @template Row
 * @typedef {{ head: string, cell: (row: Row) => Child, number?: boolean, phone?: 'figure' | 'none' }} Column
 */

/**
 * The words of a table without rows: what would be here, and how to get it.
 * @typedef {{ title: string, text: string, action?: HTMLElement }} Empty
 */

/**
 * @template Row
 * @typedef {{
 *   caption: string, columns: Column<Row>[], href?: (row: Row) => string, empty?: Empty | (() => Empty),
 *   show_caption?: boolean
 * }} TableOptions with `href`, a row opens this address, usually that of a drawer
 */

/**
 * A table of given rows.
 * @template Row
 * @param {TableOptions<Row> & { rows: Row[] }} options
 */
export function table({ rows, ...options }) {
  if (rows.length === 0 && options.empty !== undefined) return emptyState(options.empty)
  const made = element('div', { class: 'table' })
  const { body, table: inner } = tableElement(options)
  addRows(body, options, rows)
  made.append(inner)
  return made
}

/**
 * A small table of texts.
 * @param {string} caption
 * @param {string[]} heads a head that begins with # is for a column of numbers
 * @param {Child[][]} rows
 */
export function plainTable(caption, heads, rows) {
  return table({
    caption,
    show_caption: true,
    rows,
    columns: heads.map((head, index) => ({
      head: head.replace(/^#/, ''),
      number: head.startsWith('#'),
      cell: (row) => row[index] ?? null,
    })),
  })
}

const CHANGED = 'records-changed'

/** Says that a record has changed, so that lists which show it read their rows again. */
export function recordsChanged() {
  dispatchEvent(new Event(CHANGED))
}

/**
 * A table that reads its rows page by page, and again after recordsChanged().
 * @template Row
 * @param {TableOptions<Row> & {
 *   read: (cursor: string | null) => Promise<{
 *     rows: Row[], total: number | null, next_cursor: string | null
 *   }>
 * }} options `total` is null if the list is not counted
 * @returns {{ shown: HTMLElement, reload: () => Promise<void> }}
 */
export function pagedTable({ read, ...options }) {
  const shown = element('div', {})
  let count = 0
  const reload = () =>
    load(
      shown,
      async () => {
        const first = await read(null)
        count = first.rows.length
        if (count === 0 && options.empty !== undefined) return emptyState(options.empty)
        const { body, table: inner } = tableElement(options)
        addRows(body, options, first.rows)
        const foot = element('div', { class: 'table-foot' })
        footOf(foot, body, first)
        return element('div', { class: 'table' }, inner, foot)
      },
      { lines: 8 },
    )
  const again = () => {
    if (shown.isConnected) void reload()
    else removeEventListener(CHANGED, again)
  }
  addEventListener(CHANGED, again)
  /**
   * @param {HTMLElement} foot
   * @param {HTMLElement} body
   * @param {{ total: number | null, next_cursor: string | null }} page
   */
  const footOf = (foot, body, { total, next_cursor }) => {
    const failed = element('div', {})
    const told = element('span', { role: 'status' }, countOf(count, total, next_cursor !== null))
    const more = button('Load more', failed, async () => {
      const page = await read(next_cursor)
      count += page.rows.length
      const [first] = addRows(body, options, page.rows)
      footOf(foot, body, page)
      first?.querySelector('a')?.focus()
    })
    fill(foot, [told, next_cursor === null ? null : more, failed])
  }
  return { shown, reload }
}

/**
 * @param {number} count
 * @param {number | null} total
 * @param {boolean} has_more
 */
function countOf(count, total, has_more) {
  if (total !== null) return `${count.toLocaleString()} of ${total.toLocaleString()}`
  return has_more ? `The first ${count.toLocaleString()}` : `${count.toLocaleString()} in all`
}

/** @param {Empty | (() => Empty)} empty */
export function emptyState(empty) {
  const { title, text, action } = typeof empty === 'function' ? empty() : empty
  return element(
    'div',
    { class: 'card empty' },
    element('strong', {}, title),
    element('p', {}, text),
    action ? element('div', { class: 'actions' }, action) : null,
  )
}

/**
 * The roles are named because a phone shows the rows as blocks, and browsers then drop them.
 * @template Row
 * @param {TableOptions<Row>} options
 */
function tableElement({ caption, columns, href, show_caption = false }) {
  const body = element('tbody', { role: 'rowgroup', class: href === undefined ? false : 'opens' })
  body.addEventListener('click', followRow)
  const head = element(
    'tr',
    { role: 'row' },
    ...columns.map((column) =>
      element(
        'th',
        { scope: 'col', role: 'columnheader', class: column.number ? 'number' : false },
        column.head,
      ),
    ),
  )
  return {
    body,
    table: element(
      'table',
      { role: 'table', 'aria-label': caption },
      show_caption ? element('caption', {}, caption) : null,
      element('thead', { role: 'rowgroup' }, head),
      body,
    ),
  }
}

/**
 * A click anywhere in a row follows the link of the row, unless the user marks text or clicks something else.
 * @param {MouseEvent} event
 */
function followRow(event) {
  if (!(event.target instanceof Element) || event.target.closest('a, button, input, select, summary')) return
  if (getSelection()?.isCollapsed === false) return
  event.target.closest('tr')?.querySelector('a')?.click()
}

/**
 * @template Row
 * @param {HTMLElement} body
 * @param {TableOptions<Row>} options
 * @param {Row[]} rows
 */
function addRows(body, { columns, href }, rows) {
  const made = rows.map((row) =>
    element('tr', { role: 'row' }, ...columns.map((column, index) => cellOf(row, column, index, href))),
  )
  body.append(...made)
  return made
}

/**
 * @template Row
 * @param {Row} row
 * @param {Column<Row>} column
 * @param {number} index
 * @param {((row: Row) => string) | undefined} href
 */
function cellOf(row, { head, cell, number = false, phone }, index, href) {
  const content = cell(row)
  const names = [
    index === 0 ? 'title' : null,
    content === '–' ? 'none' : (phone ?? null),
    number ? 'number' : null,
  ]
    .filter(Boolean)
    .join(' ')
  if (index === 0)
    return element(
      'th',
      { scope: 'row', role: 'rowheader', class: names },
      href === undefined ? content : element('a', { href: href(row) }, content),
    )
  return element(
    'td',
    { role: 'cell', class: names === '' ? false : names, 'data-head': number && phone !== 'figure' && head },
    content,
  )
}
