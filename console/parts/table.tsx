import { type Child, memo, useLayoutEffect, useRef } from 'hono/jsx/dom'
import { ADDRESS } from '../address.ts'
import type { PageOfRows, PageQuery } from '../api.ts'
import { formatCount } from '../format.ts'
import { Store, useStore } from '../store.ts'
import { Button, useWork } from './changes.tsx'
import { FailureNotice, Skeleton, useChanges, useLoading } from './load.tsx'
import { type Empty, EmptyState } from './parts.tsx'

/**
 * A column. A `number` is set right. `keep` never breaks its text, `wide` only in a wide table, where long
 * text ends in an ellipsis. A table that does not fit leaves out the columns of `none`. If that is not
 * enough, it is a list, and a row has two lines: the first column and the `figure` are its first line, the
 * others its second. Numbers, dates and ids follow their head there.
 */
export type Column<Row> = {
  head: string
  cell: (row: Row) => Child
  number?: boolean
  keep?: boolean | 'wide'
  phone?: 'figure' | 'none'
}

/** With `href`, a row opens this address, usually that of a drawer. `sums` is a last row of totals. */
type TableOptions<Row> = {
  caption: string
  columns: readonly Column<Row>[]
  href?: (row: Row) => string
  empty?: Empty
  show_caption?: boolean
  sums?: readonly Child[]
}

type RowsOptions<Row> = TableOptions<Row> & { rows: readonly Row[] }

/** The rows of the list behind a drawer, by their links. The drawer leads to those beside its own. */
export const ROWS = new Store<readonly string[]>([])

/** A table of given rows. */
export function Table<Row>({ rows, empty, foot, ...options }: RowsOptions<Row> & { foot?: Child }) {
  if (rows.length === 0 && empty !== undefined) return <EmptyState {...empty} />
  return (
    <Fitted of={[rows, options.columns]}>
      <Rows {...options} rows={rows} />
      {foot}
    </Fitted>
  )
}

/** Below this width, a table is a list even if it fits. */
const LIST_BELOW_PX = 420

/** What a table tries until it fits its card: all columns, fewer columns, a list. */
const SHAPES = ['whole', 'fewer', 'list'] as const

/** The card of a table. It asks its own width, so that a table in a drawer is a list, too. */
function Fitted({ of, children }: { of: readonly unknown[]; children: Child }) {
  const card = useRef<HTMLDivElement>(null)
  // A long table goes at once: each row that is taken from the page by itself lays out those that stay.
  useLayoutEffect(() => () => card.current?.remove(), [])
  // At each drawing, because its element can be another one then. It is fitted before anything is painted.
  useLayoutEffect(() => {
    const { current } = card
    if (current === null) return
    fit(current, of)
    const observer = new ResizeObserver(() => fit(current, of))
    observer.observe(current)
    return () => observer.disconnect()
  })
  return (
    <div class="table" data-shape={innerWidth < LIST_BELOW_PX ? 'list' : 'whole'} ref={card}>
      {children}
    </div>
  )
}

/** What a card was fitted to: its width, and what it has. To try a shape lays out all rows. */
const fitted = new WeakMap<HTMLElement, readonly unknown[]>()

function fit(card: HTMLElement, of: readonly unknown[]): void {
  const now = [card.clientWidth, ...of]
  // Before it is in the page it has no width: the observer fits it then.
  if (card.clientWidth === 0 || fitted.get(card)?.every((each, at) => each === now[at])) return
  fitted.set(card, now)
  for (const shape of card.clientWidth < LIST_BELOW_PX ? (['list'] as const) : SHAPES) {
    card.dataset['shape'] = shape
    if (card.scrollWidth <= card.clientWidth) return
  }
}

type PlainTableProps = {
  caption: string
  heads: readonly string[]
  rows: readonly (readonly Child[])[]
  sums?: readonly Child[]
}

/** A small table of texts. A head that begins with # is for a column of numbers. */
export function PlainTable({ caption, heads, rows, sums }: PlainTableProps) {
  const columns = heads.map((head, index) => ({
    head: head.replace(/^#/, ''),
    number: head.startsWith('#'),
    cell: (row: readonly Child[]) => row[index] ?? null,
  }))
  return <Table caption={caption} show_caption rows={rows} columns={columns} {...(sums && { sums })} />
}

/** The roles are named because a phone shows the rows as blocks, and browsers then drop them. */
function Rows<Row>({ caption, columns, href, show_caption = false, rows, sums }: RowsOptions<Row>) {
  useStore(ADDRESS)
  return (
    <table role="table" aria-label={caption}>
      {show_caption && <caption>{caption}</caption>}
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ head, number, phone }) => (
            <th
              scope="col"
              role="columnheader"
              class={namesOf([number && 'number', phone === 'none' && 'extra'])}
            >
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" class={href === undefined ? undefined : 'opens'} onClick={followRow}>
        {partsOf(rows).map((part) => {
          const links = part.map((row) => href?.(row))
          const current = links.find((link) => link === location.hash)
          const draw = () => part.map((row, index) => rowOf(row, columns, links[index], current))
          return <Drawn of={[columns, current, ...part, ...links]} draw={draw} />
        })}
      </tbody>
      {sums && (
        <tfoot role="rowgroup">
          <tr role="row">{sums.map((sum, index) => sumIn(columns[index], sum, index))}</tr>
        </tfoot>
      )}
    </table>
  )
}

/** As many rows are drawn together. */
const DRAWN = 100

function partsOf<Row>(rows: readonly Row[]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / DRAWN) }, (_, part) =>
    rows.slice(part * DRAWN, (part + 1) * DRAWN),
  )
}

/** It stays as drawn while nothing in `of` differs: a page more or a drawer draws no long list again. */
const Drawn = memo(
  ({ draw }: { of: readonly unknown[]; draw: () => Child }) => <>{draw()}</>,
  (before, now) => before.of.length === now.of.length && before.of.every((each, at) => each === now.of[at]),
)

function rowOf<Row>(
  row: Row,
  columns: readonly Column<Row>[],
  link: string | undefined,
  current: string | undefined,
) {
  return (
    <tr role="row" aria-current={link !== undefined && link === current ? 'true' : undefined}>
      {columns.map((column, index) => cellOf(row, column, index, link))}
    </tr>
  )
}

const KEEPS: Readonly<Record<string, string>> = { true: 'keep', wide: 'keep-wide' }

function cellOf<Row>(row: Row, column: Column<Row>, index: number, link: string | undefined) {
  const { head, cell, number = false, keep = false, phone } = column
  const content = cell(row) ?? '–'
  const extra = phone === 'none' ? 'extra' : phone
  const kept = [content === '–' && 'none', extra, number && 'number', KEEPS[String(keep)]]
  const told = (number || keep === true) && phone !== 'figure' ? head : undefined
  return cellAt(index, kept, told, link === undefined || index > 0 ? content : <a href={link}>{content}</a>)
}

function sumIn(column: Pick<Column<never>, 'head' | 'phone'> | undefined, sum: Child, index: number) {
  const is_figure = column?.phone === 'figure'
  const told = sum === '' || is_figure ? undefined : column?.head
  const extra = column?.phone === 'none' && 'extra'
  return cellAt(index, index > 0 ? ['number', is_figure && 'figure', extra] : [], told, sum)
}

/** A cell with the names of its styles. `told` is the head of its column, which a phone shows beside it. */
function cellAt(index: number, names: readonly unknown[], told: string | undefined, content: Child) {
  const name = namesOf([index === 0 && 'title', ...names])
  return index === 0 ? (
    <th scope="row" role="rowheader" class={name}>
      {content}
    </th>
  ) : (
    <td role="cell" class={name} data-head={told}>
      {content}
    </td>
  )
}

function namesOf(names: readonly unknown[]): string | undefined {
  return names.filter(Boolean).join(' ') || undefined
}

/**
 * A click anywhere in a row follows the link of the row, unless the user marks text or clicks something else.
 * With Ctrl, it opens a new tab as the link does.
 */
function followRow(event: MouseEvent): void {
  const { target } = event
  if (!(target instanceof Element) || target.closest('a, button, input, select, summary')) return
  if (getSelection()?.isCollapsed === false) return
  const { ctrlKey, metaKey, shiftKey } = event
  const click = new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey })
  target.closest('tr')?.querySelector('a')?.dispatchEvent(click)
}

/** The rows that were read of each list. They are shown at once, and read again, when the list is opened. */
const kept = new Map<string, PageOfRows<unknown>>()

const FIRST_PAGE = 25
const NEXT_PAGE = 100

/** As many rows are read again of a list, a page at a time. */
const ROWS_AGAIN = 1000

/** How many pages without a row one click reads, before the user decides to go on. */
const EMPTY_PAGES = 5

/** Forgets what was read, for the sign-out. */
export function forgetRows(): void {
  kept.clear()
}

type PagesOptions<Row> = TableOptions<Row> & { read: ReadPage<Row>; of?: string; inside?: boolean }

/**
 * A table that reads its rows page by page, and again after recordsChanged() or when `of` differs. `inside`:
 * it is a part of a drawer, so the drawer does not lead through its rows.
 */
export function PagedTable<Row>({ read, of = '', inside = false, empty, ...options }: PagesOptions<Row>) {
  const { list, failure, again, more } = usePages(read, `${options.caption} ${of}`)
  const work = useWork()
  const { href } = options
  useLayoutEffect(() => {
    if (href !== undefined && !inside) ROWS.set(list?.rows.map(href) ?? [])
  }, [list])
  if (failure !== null) return <FailureNotice thrown={failure.thrown} retry={() => void again()} />
  if (list === null) return <Skeleton lines={inside ? 3 : 10} />
  const { rows, total, next_cursor, note } = list
  const is_short = next_cursor === null && rows.length <= FIRST_PAGE && note === undefined
  const foot = (
    <div class={is_short ? 'unseen' : 'table-foot'}>
      <span role="status">{countOf(rows.length, total, next_cursor !== null)}</span>
      {next_cursor !== null && <Button of={work} name="Load more" act={more} />}
      {note !== undefined && <p class="quiet">{note}</p>}
      {work.notice}
    </div>
  )
  // A page without rows may have others after it.
  const none = empty !== undefined && next_cursor === null ? { empty } : {}
  return <Table {...options} {...none} rows={rows} foot={foot} />
}

type ReadPage<Row> = (page: PageQuery) => Promise<PageOfRows<Row>>

/** A page with rows, if there are any: one of a rare currency or state can be empty although more follow. */
async function readOn<Row>(read: ReadPage<Row>, cursor: string | null, rows: number) {
  const limit = String(rows)
  let page = await read({ limit, cursor })
  for (let empty = 1; empty <= EMPTY_PAGES && page.rows.length === 0 && page.next_cursor !== null; empty += 1)
    page = await read({ limit, cursor: page.next_cursor })
  return page
}

function usePages<Row>(read: ReadPage<Row>, name: string) {
  const { value, failure, again, set } = useLoading(async () => {
    const known = Math.min(ROWS_AGAIN, kept.get(name)?.rows.length ?? 0)
    let list = await readOn(read, null, Math.max(FIRST_PAGE, Math.min(NEXT_PAGE, known)))
    while (list.rows.length < known && list.next_cursor !== null) list = await longer(list)
    return list
  }, [name])
  useChanges(() => void again())
  useLayoutEffect(() => {
    // Those beyond are not read again, so they would be drawn for a moment.
    if (value !== null) kept.set(name, { ...value, rows: value.rows.slice(0, ROWS_AGAIN) })
  }, [value])
  const longer = async (list: PageOfRows<Row>) => {
    const page = await readOn(read, list.next_cursor, NEXT_PAGE)
    return { ...page, rows: [...list.rows, ...page.rows] }
  }
  // The name decides the type of the rows.
  const list = value ?? (kept.get(name) as PageOfRows<Row> | undefined) ?? null
  const more = async () => list && set(await longer(list))
  return { list, failure, again, more }
}

function countOf(count: number, total: number | null, has_more: boolean): string {
  if (total !== null) return `${formatCount(count)} of ${formatCount(total)}`
  return has_more ? `The first ${formatCount(count)}` : `${formatCount(count)} in all`
}
