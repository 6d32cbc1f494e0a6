import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api'
import * as tables from '../src/database/tables.ts'
import { PROJECT } from './wrangler.ts'

const FOLDER = join(PROJECT, 'migrations')
/** What the tables were when the last migration was made. Not a migration: only files that end in .sql are applied. */
const SNAPSHOT = join(FOLDER, 'tables.json')

/** The statements that lead from the last snapshot to src/database/tables.ts, and the snapshot that follows. */
export async function migrationStatements(): Promise<{ statements: string[]; snapshot: object }> {
  const empty = await generateSQLiteDrizzleJson({})
  const before: typeof empty = existsSync(SNAPSHOT) ? JSON.parse(readFileSync(SNAPSHOT, 'utf8')) : empty
  const after = await generateSQLiteDrizzleJson(tables, before.id)
  return { statements: (await generateSQLiteMigration(before, after)).map(makeStrict), snapshot: after }
}

/** Drizzle cannot say STRICT, and every table of ours is. */
function makeStrict(statement: string): string {
  return /^CREATE TABLE/i.test(statement)
    ? statement
        .trimEnd()
        .replace(/;?$/, ' STRICT;')
        .replace(/\);? STRICT;$/, ') STRICT;')
    : statement
}

async function generate(name: string): Promise<void> {
  const { statements, snapshot } = await migrationStatements()
  if (statements.length === 0) {
    console.log('The migrations make the tables as they are: nothing to do')
    return
  }
  const last =
    readdirSync(FOLDER)
      .filter((file) => file.endsWith('.sql'))
      .toSorted()
      .at(-1) ?? '-001'
  const file = `${String(Number(last.slice(0, 4)) + 1).padStart(4, '0')}_${name}.sql`
  writeFileSync(join(FOLDER, file), `${statements.join('\n')}\n`)
  writeFileSync(SNAPSHOT, `${JSON.stringify(snapshot, null, 2)}\n`)
  console.log(`migrations/${file}: read it, and add the CHECKs that tables.ts cannot say`)
  if (statements.some((statement) => statement.includes('__new_')))
    console.log('It rebuilds a table: D1 checks foreign keys at once, so see that nothing refers to it meanwhile')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const name = process.argv[2] ?? ''
  if (/^[a-z][a-z0-9_]*$/.test(name)) await generate(name)
  else {
    console.error('Usage: npm run db:generate -- name_of_the_change')
    process.exitCode = 1
  }
}
