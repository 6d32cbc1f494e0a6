import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Miniflare } from 'miniflare'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { unstable_splitSqlQuery } from 'wrangler'
import { applyMigrations, pendingMigrations } from '../../scripts/migrations.ts'
import { runWorker } from '../../scripts/run-worker.ts'

const FOLDER = join(import.meta.dirname, '../../migrations')
const FILES = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.sql'))
  .toSorted()
const textOf = (file: string) => readFileSync(join(FOLDER, file), 'utf8')

/** What a database contains after these texts. */
function schemaOf(texts: readonly string[]): object[] {
  const db = new DatabaseSync(':memory:')
  for (const text of texts) db.exec(text)
  return db
    .prepare('SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name')
    .all()
}

const withoutSpace = (rows: readonly object[]) =>
  rows.map((row) => JSON.stringify(row).replaceAll(/(\\n|\s)+/g, ' '))

describe('the migrations', () => {
  it("make the same tables if wrangler's splitter cuts them into statements", () => {
    const pieces = FILES.flatMap((file) => unstable_splitSqlQuery(textOf(file)))
    expect(pieces.length).toBeGreaterThan(100)
    expect(withoutSpace(schemaOf(pieces))).toEqual(withoutSpace(schemaOf(FILES.map(textOf))))
  })

  it('keep each trigger in one piece', () => {
    const named = FILES.flatMap((file) => textOf(file).match(/CREATE TRIGGER \w+/g) ?? [])
    expect(named.length).toBeGreaterThan(5)
    const pieces = FILES.flatMap((file) => unstable_splitSqlQuery(textOf(file)))
    const triggers = pieces.filter((piece) => piece.includes('CREATE TRIGGER'))
    expect(triggers).toHaveLength(named.length)
    for (const trigger of triggers) expect(trigger.trim()).toMatch(/\bEND;?$/)
  })

  /**
   * The splitter of the remote database is not public. It has cut triggers at the END of a CASE, at a small
   * `end`, at a CR, and after the first of several statements (cloudflare/workers-sdk, issues 2463, 4326,
   * 14991).
   */
  it.each(FILES)('have triggers of one statement, with the condition in WHEN: %s', (file) => {
    const code = textOf(file).replaceAll(/--[^\n]*/g, '')
    expect(code).not.toContain('\r')
    const bodies = [...code.matchAll(/CREATE TRIGGER(.*?)\bBEGIN\b(.*?)\bEND;/gs)]
    expect(bodies).toHaveLength((code.match(/CREATE TRIGGER/gi) ?? []).length)
    for (const [text, head = '', body = ''] of bodies) {
      expect(head).toContain('WHEN ')
      expect(body.trim().split(';').filter(Boolean)).toHaveLength(1)
      expect(text).not.toMatch(/\bCASE\b/i)
    }
  })
})

describe('applied to a local database, the migrations', () => {
  let miniflare: Miniflare
  let db: D1Database

  beforeEach(async () => {
    const worker = [{ name: 'worker.js', contents: 'export default {}' }] as const
    ;({ miniflare } = await runWorker(worker, { variables: {}, offline: true, limits: false }))
    db = await miniflare.getD1Database('DB')
  })
  afterEach(() => miniflare.dispose())

  it('are all there, and are not applied again', async () => {
    expect(await pendingMigrations(db)).toEqual(FILES)
    await applyMigrations(db)
    expect(await pendingMigrations(db)).toEqual([])
    await applyMigrations(db)
    const { results } = await db.prepare('SELECT name FROM d1_migrations ORDER BY id').all()
    expect(results.map(({ name }) => name)).toEqual(FILES)
  })

  it('stop at one that fails, of which nothing stays', async () => {
    await db.prepare('CREATE TABLE data_versions (id TEXT)').run()
    await expect(applyMigrations(db)).rejects.toThrow(`The migration ${FILES[0]} failed`)
    const { results } = await db.prepare("SELECT name FROM sqlite_master WHERE name = 'facts'").all()
    expect(results).toEqual([])
    expect(await pendingMigrations(db)).toEqual(FILES)
  })
})
