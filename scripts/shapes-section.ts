import { DOCUMENT_SHAPES } from '../src/tax-data/status/document-shapes.ts'

/** The register of the shapes of documents, for docs/collectors.md. */
export function shapesTable(): string {
  const rows = DOCUMENT_SHAPES.map(
    ({ variable, shape, seen_in, seen_on }) =>
      `| \`${variable}\` | ${shape} | ${seen_on ?? ''} | ${seen_in} |`,
  )
  return ['| Variable | Shape | Seen of | Where |', '| --- | --- | --- | --- |', ...rows].join('\n')
}
