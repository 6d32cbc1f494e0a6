import { DOCUMENT_SHAPES } from '../src/tax-data/status/document-shapes.ts'

const BEGIN = '<!-- shapes: made by npm run coverage:write -->'
const END = '<!-- end of shapes -->'

/** The page with its table of document shapes made anew. Throws if the page has no place for it. */
export function withShapes(page: string): string {
  const [before, after] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (before < 0 || after < before) throw new Error(`the page has no ${BEGIN}`)
  return `${page.slice(0, before + BEGIN.length)}\n\n${table()}\n\n${page.slice(after)}`
}

function table(): string {
  const rows = DOCUMENT_SHAPES.map(
    ({ variable, shape, seen_in, seen_on }) =>
      `| \`${variable}\` | ${shape} | ${seen_on ?? ''} | ${seen_in} |`,
  )
  return ['| Variable | Shape | Seen of | Where |', '| --- | --- | --- | --- |', ...rows].join('\n')
}
