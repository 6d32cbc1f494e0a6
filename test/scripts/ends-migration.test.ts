import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'

const FOLDER = join(import.meta.dirname, '../../migrations')
const MIGRATION = '0247_ends_of_certificates.sql'

const EXEMPTION = `INSERT INTO exemptions (id, account_id, customer_id, jurisdiction_id, exemption_type,
  certificate_number, valid_from, valid_to, status, created_at, updated_at)
  VALUES (?, 'acct_1', 'cust_1', 'US-CA', 'resale', 'C', '2026-01-01', ?, ?, '', '')`
const MOVE = `INSERT INTO audit_events (id, account_id, key_id, action, resource_id, changed, request_id,
  created_at, field_values) VALUES (?, 'acct_1', 'system', '', ?, '[]', '', ?, ?)`

it('gives expired certificates that were verified their last day', () => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.sql'))
  const db = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false })
  const apply = (file: string) => db.exec(readFileSync(join(FOLDER, file), 'utf8'))
  files.filter((file) => file < MIGRATION).forEach(apply)
  const hold = (
    id: string,
    valid_to: string | null,
    status: string,
    ...moves: [string, string, string][]
  ) => {
    db.prepare(EXEMPTION).run(id, valid_to, status)
    for (const [index, [old, next, day]] of moves.entries()) {
      const values = JSON.stringify({ status: { old, new: next } })
      db.prepare(MOVE).run(`${id}_${index}`, id, `${day}T03:17:00.000Z`, values)
    }
  }
  const verified = ['pending', 'verified', '2026-01-05'] as [string, string, string]
  hold('by_the_job', '2026-03-31', 'expired', verified, ['verified', 'expired', '2026-04-02'])
  hold('by_hand', null, 'expired', verified, ['verified', 'expired', '2026-06-10'])
  hold('never_verified', '2026-03-31', 'expired', ['pending', 'expired', '2026-04-02'])
  hold(
    'reviewed_again_and_dropped',
    null,
    'expired',
    verified,
    ['verified', 'expired', '2026-04-02'],
    ['expired', 'pending', '2026-04-03'],
    ['pending', 'expired', '2026-04-04'],
  )
  hold('without_audit', '2026-03-31', 'expired')
  hold('held', null, 'verified', verified)
  hold('pending', null, 'pending', verified, ['verified', 'expired', '2026-04-02'])

  apply(MIGRATION)

  const rows = db.prepare('SELECT id, ended_on FROM exemptions WHERE ended_on IS NOT NULL ORDER BY id').all()
  expect(rows).toEqual([
    { id: 'by_hand', ended_on: '2026-06-09' },
    { id: 'by_the_job', ended_on: '2026-03-31' },
  ])
})
