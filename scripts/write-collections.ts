import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { httpFile } from './collections/http-file.ts'
import { postmanCollection } from './collections/postman.ts'
import { sampleRequests } from './collections/requests.ts'
import { currentDocument } from './openapi.ts'
import { readOptions } from './options.ts'

/**
 * Writes the collections of requests in examples/ from the OpenAPI document. `--check` only checks whether
 * they match the document.
 */
const FOLDER = join(import.meta.dirname, '../examples')

const { check } = readOptions({ check: { type: 'boolean', default: false } })
const document = currentDocument()
const requests = sampleRequests(document)
const files = {
  'tax.http': httpFile(requests),
  'tax.postman_collection.json': `${JSON.stringify(
    postmanCollection(document.info.title, requests),
    null,
    2,
  )}\n`,
}
for (const [name, text] of Object.entries(files)) {
  if (!check) writeFileSync(join(FOLDER, name), text)
  else if (readFileSync(join(FOLDER, name), 'utf8') !== text) {
    console.error(`examples/${name} does not match the OpenAPI document. Run npm run collections`)
    process.exitCode = 1
  }
}
