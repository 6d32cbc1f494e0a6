import { expect, it } from 'vitest'
import { currentDocument } from '../../scripts/openapi.ts'
import { missingExamples } from '../../scripts/openapi/missing-examples.ts'

it('names each operation and each event without an example', () => {
  const document = currentDocument()
  expect(missingExamples(document)).toEqual([])
  const nexus = document.paths['/v1/nexus']?.['get']?.responses['200']
  const updated = document.webhooks['rate.updated']?.post.requestBody?.content['application/json']
  if (nexus !== undefined && 'content' in nexus) delete nexus.content?.['application/json']?.example
  delete updated?.example
  expect(missingExamples(document)).toEqual([
    expect.stringMatching(/^GET \/v1\/nexus has no example: .* npm run openapi:examples$/),
    expect.stringMatching(/^The event rate.updated has no example/),
  ])
})
