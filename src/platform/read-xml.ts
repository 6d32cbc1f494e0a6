import { Parser } from 'htmlparser2'

/** An element without parts is its text. Others have their parts by name, without a namespace. */
type XmlValue = string | XmlParts | XmlValue[]
type XmlParts = { [name: string]: XmlValue }

type XmlOptions = {
  /** Elements that are a list even if there is one. Of others, only several are. */
  lists?: ReadonlySet<string>
  /** What the name of an attribute begins with here. Left out: attributes are not read. */
  attributes?: string
  /** Texts keep the blanks at their ends. */
  blanks?: boolean
}

type Open = { parts: XmlParts; text: string }

const NO_LISTS: ReadonlySet<string> = new Set()

/** No document that is read here has so many levels. The parser takes a time that grows with their square. */
const DEPTH_MAX = 100

/**
 * Reads an XML document by the parser of HTML pages, which has a mode for it. Definitions of entities are not
 * read. Throws an Error if an element is not closed or stands in too many others, or if there is none.
 */
export function readXml(document: string, options: XmlOptions = {}): unknown {
  const { lists = NO_LISTS, attributes, blanks = false } = options
  const root: Open = { parts: emptyParts(), text: '' }
  const open: Open[] = [root]
  let is_empty = false
  const parser = new Parser(
    {
      onopentag(name, given) {
        if (open.length > DEPTH_MAX) throw new Error(`${name} is in more than ${DEPTH_MAX} elements`)
        const parts = emptyParts()
        if (attributes !== undefined)
          for (const [name, value] of Object.entries(given)) parts[`${attributes}${localName(name)}`] = value
        open.push({ parts, text: '' })
        is_empty = true
      },
      ontext(text) {
        is_empty = false
        const last = open.at(-1)
        if (last !== undefined) last.text += text
      },
      onclosetag(name, implied) {
        // The parser closes what is not closed, and `<x/>`, which has just been opened.
        if (implied && !is_empty) throw new Error(`${name} is not closed`)
        is_empty = false
        const closed = open.pop()
        const parent = open.at(-1)
        if (closed !== undefined && parent !== undefined)
          addPart(parent.parts, localName(name), valueOf(closed, blanks), lists)
      },
    },
    { xmlMode: true },
  )
  parser.end(document)
  for (const _name in root.parts) return root.parts
  throw new Error('There is no element')
}

/** Without a prototype: a document may name an element `constructor`. */
function emptyParts(): XmlParts {
  return Object.create(null)
}

function valueOf({ parts, text }: Open, blanks: boolean): XmlValue {
  const kept = blanks ? text : text.trim()
  for (const _name in parts) {
    if (kept.trim() !== '') parts['#text'] = kept
    return parts
  }
  return kept
}

function addPart(parts: XmlParts, name: string, value: XmlValue, lists: ReadonlySet<string>): void {
  const before = parts[name]
  if (Array.isArray(before)) before.push(value)
  else if (before !== undefined) parts[name] = [before, value]
  else parts[name] = lists.has(name) ? [value] : value
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
