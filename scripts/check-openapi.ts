import { lintDocument } from './lint-openapi.ts'
import { currentDocument, DOCUMENT_FILE, TAXJAR_DOCUMENT_FILE } from './openapi.ts'
import { missingExamples } from './openapi/missing-examples.ts'

// Without them, the lint names only places in one long line.
const missing = missingExamples(currentDocument()).join('\n')
const faults = missing || lintDocument(DOCUMENT_FILE) + lintDocument(TAXJAR_DOCUMENT_FILE)
if (faults !== '') {
  console.error(faults)
  process.exitCode = 1
}
