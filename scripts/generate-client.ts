import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { REASONS } from '../src/errors.ts'
import type { Document } from './openapi/types.ts'
import { forTypes, withNamedTypes } from './client-types.ts'
import { currentDocument } from './openapi.ts'
import { readOptions } from './options.ts'

/**
 * Writes client/src/schema.ts from the OpenAPI document. The generator runs outside of this project's
 * packages, because it needs an older TypeScript. `--check` only checks whether the file matches the
 * document.
 */
const GENERATOR = [
  '--yes',
  '--package',
  'openapi-typescript@7.13.0',
  '--package',
  'typescript@5.9.3',
  '--',
  'openapi-typescript',
]
const SCHEMA_FILE = join(import.meta.dirname, '../client/src/schema.ts')

const { check } = readOptions({ check: { type: 'boolean', default: false } })
const document = currentDocument()
const text = JSON.stringify(forTypes(document))
const parts = [...retryable(document), '/** The reasons of errors. */', reasonType()]
const hash = createHash('sha256')
  .update([text, ...parts].join('\n'))
  .digest('hex')
  .slice(0, 16)
const head = `// Made by \`npm run client:generate\` from the OpenAPI document ${hash}. Do not edit.`
if (check) {
  const fresh = readFileSync(SCHEMA_FILE, 'utf8').startsWith(head)
  if (!fresh)
    console.error('client/src/schema.ts does not match the OpenAPI document. Run npm run client:generate')
  process.exitCode = fresh ? 0 : 1
} else writeFileSync(SCHEMA_FILE, [head, '', withNamedTypes(typesOf(text)), ...parts, ''].join('\n'))

function typesOf(document: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'client-'))
  try {
    const source = join(folder, 'openapi.json')
    const target = join(folder, 'schema.ts')
    writeFileSync(source, document)
    const { status, stderr } = spawnSync(
      'npx',
      [...GENERATOR, source, '--output', target, '--default-non-nullable=false'],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    )
    if (status !== 0) throw new Error(stderr)
    return readFileSync(target, 'utf8')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The POSTs that may be repeated: those that take a key, and those that change nothing. */
function retryable({ paths }: Document): string[] {
  const posts = Object.entries(paths).flatMap(([path, { post }]) => (post ? [{ path, post }] : []))
  const keyed = posts.filter(({ post }) => post.parameters?.some(({ name }) => name === 'Idempotency-Key'))
  const asking = posts.filter(({ post }) => /scope `[a-z-]+:read`/.test(post.description ?? ''))
  const declared = (name: string, found: typeof posts) => {
    const paths = found.map(({ path }) => `  '${path}',\n`).join('')
    return `export const ${name}: ReadonlySet<string> = new Set([\n${paths}])`
  }
  return [
    '/** The POSTs that take an Idempotency-Key. */',
    declared('KEYED_POSTS', keyed),
    '/** The POSTs that change nothing. */',
    declared('ASKING_POSTS', asking),
  ]
}

/** `missing_scope` names the scope: `missing_scope: tax:read`. */
function reasonType(): string {
  const types = Object.keys(REASONS).map((reason) =>
    reason === 'missing_scope' ? '`missing_scope: ${string}`' : `'${reason}'`,
  )
  return `export type Reason =\n${types.map((type) => `  | ${type}`).join('\n')}`
}
