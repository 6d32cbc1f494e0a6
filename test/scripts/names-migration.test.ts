import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { foldedName, nameToStore } from '../../src/parties/customers/folded-name.ts'

const FOLDER = join(import.meta.dirname, '../../migrations')
const MIGRATION = '0248_names_without_accents.sql'

const SCRIPTS = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}]/u

/** Each letter of the scripts that the migration knows, some words, and a name of the greatest length. */
function names(): string[] {
  const letters = Array.from({ length: 0x2000 - 0x80 }, (_, index) => String.fromCodePoint(0x80 + index))
  const whole = letters.filter((letter) => SCRIPTS.test(letter))
  const words = [
    'Łódź Müller Søren',
    'Mu\u0308ller',
    'Straße & ÆRØ',
    'ΟΔΟΣ',
    'Ада Ёлкина',
    'Nguyễn Ü',
    '李娜 Ｌｉ',
  ]
  return [...whole, ...words, 'Ü'.repeat(300), 'plain']
}

it('stores the names of earlier releases as the service does', () => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.sql'))
  const db = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false })
  const apply = (file: string) => db.exec(readFileSync(join(FOLDER, file), 'utf8'))
  files.filter((file) => file < MIGRATION).forEach(apply)
  const insert = db.prepare(`INSERT INTO customers (id, account_id, name, metadata, created_at, updated_at)
    VALUES (?, 'acct_1', ?, '{}', '', '')`)
  const given = names()
  for (const [index, name] of given.entries()) insert.run(`cust_${index}`, name)
  insert.run('cust_nameless', null)

  apply(MIGRATION)

  const rows = db.prepare('SELECT name, folded_name FROM customers ORDER BY rowid').all()
  expect(rows.filter(({ name, folded_name }) => folded_name !== stored(name))).toEqual([])
  expect(given).toHaveLength(rows.length - 1)
  expect(foldedName('Łódź Müller Søren Straße')).toBe('lodz muller soren strasse')
})

function stored(name: unknown): string | null {
  return nameToStore(typeof name === 'string' ? name : null)
}
