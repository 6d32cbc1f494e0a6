import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { currentDocument, DOCUMENT_FILE } from './openapi.ts'

/**
 * Writes the OpenAPI document to where it is served from: the Worker neither carries it nor makes it. A file
 * that is the same is left alone, because `npm run dev` would take a new one for a change.
 */
const text = JSON.stringify(currentDocument())
if (!existsSync(DOCUMENT_FILE) || readFileSync(DOCUMENT_FILE, 'utf8') !== text)
  writeFileSync(DOCUMENT_FILE, text)
