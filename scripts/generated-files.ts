import { gzipSync } from 'node:zlib'
import { clientMethods, clientNames } from './client-types/client-methods.ts'
import { clientTypes } from './client-types/client-types.ts'
import { httpFile } from './collections/http-file.ts'
import { postmanCollection } from './collections/postman.ts'
import { sampleRequests } from './collections/requests.ts'
import { consoleFiles } from './console-files.ts'
import { siteFiles } from './docs-site/site.ts'
import { DECK_SCHEMA, deckSchemaText } from './conformance/deck-schema.ts'
import { LAW_DECK, lawDeckText } from './conformance/law-cases.ts'
import { currentDocument, currentTaxJarDocument, DOCUMENT_FILE, TAXJAR_DOCUMENT_FILE } from './openapi.ts'
import { pageStyles } from './page-styles.ts'
import { versionOf } from './release/versions.ts'
import { shippedSnapshot } from './shipped-snapshot.ts'
import { PUBLIC_ROUTES, ROUTES } from '../src/interfaces/routes.ts'

/**
 * The files that are made from the code and the guides, by their paths: the OpenAPI documents, the
 * documentation, the types and the methods of the client, its data for tests, the collections of requests,
 * the deck of law, the scripts of the console, and the style sheet of the pages.
 */
export function generatedFiles(project: string): Map<string, string> {
  const document = currentDocument()
  const requests = sampleRequests(document)
  const collection = postmanCollection(document.info.title, requests)
  return new Map([
    [DOCUMENT_FILE, JSON.stringify(document)],
    [TAXJAR_DOCUMENT_FILE, JSON.stringify(currentTaxJarDocument())],
    ['client/src/schema.ts', clientTypes(document)],
    ['client/src/methods.generated.ts', clientMethods(document, clientNames([...ROUTES, ...PUBLIC_ROUTES]))],
    ['client/offline/shipped.generated.ts', shippedForTests(versionOf(project))],
    ['examples/tax.http', httpFile(requests)],
    ['examples/tax.postman_collection.json', `${JSON.stringify(collection, null, 2)}\n`],
    [LAW_DECK, lawDeckText()],
    [DECK_SCHEMA, deckSchemaText()],
    ...consoleFiles(project),
    ...pageStyles(project),
    ...[...siteFiles(project, document)].map(([path, text]) => [`public/${path}`, text] as const),
  ])
}

/** Large states, and small ones whose cities and counties tax nothing. */
const STATES_FOR_TESTS = 'CA CT DC DE FL MA MD ME MI MT NH NJ NY OR PA RI WA'.split(' ')

/** The shipped data for `tax-compliance/testing`: a tenth of its JSON. */
function shippedForTests(version: string): string {
  const packed = gzipSync(shippedSnapshot(version, STATES_FOR_TESTS), { level: 9 }).toString('base64')
  return `/** A snapshot as base64 of gzip. */\nexport const SHIPPED =\n  '${packed}'\n`
}
