import { lintDocument } from './lint-openapi.ts'
import { DOCUMENT_FILE, writeDocument } from './openapi.ts'

writeDocument()
const faults = lintDocument(DOCUMENT_FILE)
if (faults !== '') {
  console.error(faults)
  process.exitCode = 1
}
