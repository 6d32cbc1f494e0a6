import { lintDocument } from './lint-openapi.ts'
import { DOCUMENT_FILE, TAXJAR_DOCUMENT_FILE } from './openapi.ts'

const faults = lintDocument(DOCUMENT_FILE) + lintDocument(TAXJAR_DOCUMENT_FILE)
if (faults !== '') {
  console.error(faults)
  process.exitCode = 1
}
