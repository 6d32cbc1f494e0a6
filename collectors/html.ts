import { DomUtils, parseDocument } from 'htmlparser2'

type Nodes = ReturnType<typeof parseDocument>['children']
type Node = Nodes[number]

export type Table = {
  /** The nearest heading before the table, '' for none. */
  heading: string
  headers: string[]
  rows: string[][]
  /** The same rows, each cell as its visible lines. */
  lines: string[][][]
}

const BLOCKS = new Set(
  (
    'address article aside br dd div dl dt h1 h2 h3 h4 h5 h6 header hr ' +
    'li main ol p section table td th tr ul'
  ).split(' '),
)
const UNSEEN = new Set(['script', 'style', 'noscript', 'template', 'form', 'nav', 'footer'])
const HEADINGS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'caption'])

/** The visible text of a page, one line for each block. Every kind of blank becomes one space. */
export function textLines(html: string): string[] {
  return seenText(parseDocument(html).children)
}

/** All tables of a page. The header row is separate, and cells have their visible text. */
export function tablesOf(html: string): Table[] {
  const tables: Table[] = []
  let heading = ''
  const walk = (nodes: readonly Node[]) => {
    for (const node of nodes) {
      if (!('name' in node) || !('children' in node) || UNSEEN.has(node.name)) continue
      if (HEADINGS.has(node.name)) heading = seenText(node.children).join(' ')
      if (node.name === 'table') tables.push(tableOf(node, heading))
      else walk(node.children)
    }
  }
  walk(parseDocument(html).children)
  return tables
}

/** The table whose headers contain all these words, in any order and case. Null if not exactly one does. */
export function tableWithHeaders(html: string, ...words: string[]): Table | null {
  const found = tablesOf(html).filter(({ headers }) =>
    words.every((word) => headers.some((header) => header.toLowerCase().includes(word.toLowerCase()))),
  )
  return found.length === 1 ? (found[0] ?? null) : null
}

/** The index of the column whose header contains the word, or -1. */
export function columnOf({ headers }: Table, word: string): number {
  return headers.findIndex((header) => header.toLowerCase().includes(word.toLowerCase()))
}

/** A text without the marks of footnotes at its end: `California (b)`, `UTAH (5)`, `Food*`. */
export function withoutFootnotes(text: string): string {
  return text.replace(/(\s*(\([a-z0-9]{1,2}\)|\*))+$/i, '').trim()
}

/** The `href` of each link of a page, as it is written. */
export function linksOf(html: string): string[] {
  return DomUtils.getElementsByTagName('a', parseDocument(html).children, true).flatMap(
    ({ attribs }) => attribs['href'] ?? [],
  )
}

function tableOf(table: Node, heading: string): Table {
  const caption = DomUtils.getElementsByTagName('caption', table, true)[0]
  const lines = DomUtils.getElementsByTagName('tr', table, true)
    .map((row) =>
      row.children
        .filter((cell) => 'name' in cell && (cell.name === 'td' || cell.name === 'th'))
        .map((cell) => seenText([cell])),
    )
    .filter((row) => row.length > 0)
  const [headers = [], ...rows] = lines.map((row) => row.map((cell) => cell.join(' ')))
  return {
    heading: caption === undefined ? heading : seenText([caption]).join(' '),
    headers,
    rows,
    lines: lines.slice(1),
  }
}

function seenText(nodes: readonly Node[]): string[] {
  const lines: string[] = []
  let line = ''
  const close = () => {
    const text = line.replaceAll(/\s+/g, ' ').trim()
    if (text !== '') lines.push(text)
    line = ''
  }
  const walk = (each: readonly Node[]) => {
    for (const node of each) {
      if (node.type === 'text') line += node.data
      else if ('name' in node && 'children' in node && !UNSEEN.has(node.name)) {
        const block = BLOCKS.has(node.name)
        if (block) close()
        walk(node.children)
        if (block) close()
      }
    }
  }
  walk(nodes)
  close()
  return lines
}
