import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api'
import { TABLES } from '../src/platform/database/tables/kinds.ts'
import { PROJECT } from './wrangler.ts'

const FOLDER = join(PROJECT, 'migrations')
/**
 * The tables after the last migration. It is no migration itself: only files that end in .sql are applied.
 */
const SNAPSHOT = join(FOLDER, 'tables.json')

type Snapshot = Awaited<ReturnType<typeof generateSQLiteDrizzleJson>>

/** The tables after the last migration. */
export function lastSnapshot(): Snapshot {
  return JSON.parse(readFileSync(SNAPSHOT, 'utf8'))
}

/**
 * The statements that change a snapshot into these tables (none if nothing changed), and the new snapshot.
 */
export async function migrationTo(
  tables: Record<string, unknown>,
  before: Snapshot,
): Promise<{ statements: string[]; snapshot: Snapshot }> {
  const snapshot = await generateSQLiteDrizzleJson(tables, before.id)
  const statements = await generateSQLiteMigration(before, snapshot)
  return { statements: statements.map((each) => wholeIndex(makeStrict(each), snapshot)), snapshot }
}

/** Drizzle splits the columns of an index at each comma, also at those of an expression. */
function wholeIndex(statement: string, { tables }: Snapshot): string {
  const [, begin = '', name = '', table = ''] =
    /^(CREATE (?:UNIQUE )?INDEX `(\w+)` ON `(\w+)` )/.exec(statement) ?? []
  const found = tables[table]?.indexes[name]
  if (found === undefined) return statement
  const known = tables[table]?.columns ?? {}
  const columns = found.columns.map((column: string) => (column in known ? `\`${column}\`` : column))
  return `${begin}(${columns.join(',')})${found.where === undefined ? '' : ` WHERE ${found.where}`};`
}

/** All our tables are STRICT, which drizzle cannot write. */
function makeStrict(statement: string): string {
  return statement.startsWith('CREATE TABLE') ? statement.replace(/\);?\s*$/, ') STRICT;') : statement
}

/** Whether the statements copy a table and drop the old one. */
export function rebuilds(statements: readonly string[]): boolean {
  return statements.some((statement) => statement.includes('__new_'))
}

/** JSON with a line for each column, index and constraint, so that a change of one of them is one line. */
function snapshotText(value: object, indent = ''): string {
  const members = Object.entries(value).map(([name, member]: [string, unknown]) => {
    const inner = isNested(member) ? snapshotText(member, `${indent}  `) : JSON.stringify(member)
    return `${indent}  ${JSON.stringify(name)}: ${inner}`
  })
  return `{\n${members.join(',\n')}\n${indent}}`
}

/** Whether an object contains other objects, as a table does and a column does not. */
function isNested(value: unknown): value is object {
  return Object.values(value ?? {}).some(
    (each) => each !== null && typeof each === 'object' && !Array.isArray(each),
  )
}

/** The name of the next file, e.g. 0004_what_it_does.sql. */
function nextFile(name: string): string {
  const numbers = readdirSync(FOLDER).flatMap((file) =>
    file.endsWith('.sql') ? [Number(file.slice(0, 4))] : [],
  )
  return `${String(Math.max(-1, ...numbers) + 1).padStart(4, '0')}_${name}.sql`
}

async function generate(name: string): Promise<void> {
  const { statements, snapshot } = await migrationTo(TABLES, lastSnapshot())
  if (statements.length === 0) {
    console.log('No migration is needed: the migrations already make these tables')
    return
  }
  const file = nextFile(name)
  writeFileSync(join(FOLDER, file), `${statements.join('\n')}\n`)
  writeFileSync(SNAPSHOT, `${snapshotText(snapshot)}\n`)
  console.log(`Wrote migrations/${file}. Read it before you commit it`)
  if (rebuilds(statements)) {
    console.warn(
      'It rebuilds a table, and D1 always checks foreign keys: DROP TABLE fails if rows refer to the old\n' +
        'table, and CASCADE deletes these rows.\n' +
        'Rewrite it by hand: ALTER TABLE ... ADD COLUMN accepts a CHECK of its own column.',
    )
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const usage = 'Usage: npm run db:generate -- name_of_the_change'
  const name = process.argv[2] ?? ''
  if (name === '--help') console.log(usage)
  else if (/^[a-z][a-z0-9_]*$/.test(name)) await generate(name)
  else {
    console.error(usage)
    process.exitCode = 1
  }
}
