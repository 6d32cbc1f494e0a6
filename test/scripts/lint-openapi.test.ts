import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { lintDocument } from '../../scripts/lint-openapi.ts'

const folder = mkdtempSync(join(tmpdir(), 'lint-openapi-'))
afterAll(() => rmSync(folder, { recursive: true }))

function documentWith(tag: object): string {
  const file = join(folder, 'document.json')
  const operation = {
    operationId: 'getThings',
    summary: 'Things',
    tags: ['Things'],
    security: [],
    responses: { 200: { description: 'Things' }, 404: { description: 'None' } },
  }
  const document = {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1', license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    tags: [tag],
    paths: { '/things': { get: operation } },
  }
  writeFileSync(file, JSON.stringify(document))
  return file
}

it('finds nothing in a document that is right', () => {
  expect(lintDocument(documentWith({ name: 'Things', description: 'All things' }))).toBe('')
}, 30_000)

it('fails at what the recommended rules only warn of', () => {
  expect(lintDocument(documentWith({ name: 'Things' }))).toContain('tag-description')
}, 30_000)
