import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { openApiDocument } from '../src/openapi/document.ts'
import type { Document, Examples } from '../src/openapi/types.ts'
import { PUBLIC_ROUTES, ROUTES } from '../src/routes.ts'

// Not from wrangler.ts, which brings all of wrangler along: this runs before each build.
const PROJECT = join(import.meta.dirname, '..')

/** Where the document is served from. */
export const DOCUMENT_FILE = join(PROJECT, 'public/openapi.json')

/** The OpenAPI document of the code as it is. */
export function currentDocument(): Document {
  return openApiDocument(ROUTES, PUBLIC_ROUTES, readExamples())
}

/**
 * Writes the document to where it is served from: the Worker neither carries it nor makes it. A file that is
 * the same is left alone, because `npm run dev` would take a new one for a change.
 */
export function writeDocument(): void {
  const text = JSON.stringify(currentDocument())
  if (!existsSync(DOCUMENT_FILE) || readFileSync(DOCUMENT_FILE, 'utf8') !== text)
    writeFileSync(DOCUMENT_FILE, text)
}

/** The answers that the tests have written down, by the id of their operation. */
function readExamples(): Examples {
  const files = globSync('src/openapi/examples/*.json', { cwd: PROJECT })
  return Object.fromEntries(
    files.map((file) => [basename(file, '.json'), JSON.parse(readFileSync(join(PROJECT, file), 'utf8'))]),
  )
}
