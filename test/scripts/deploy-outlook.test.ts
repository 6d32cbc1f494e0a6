import { describe, expect, it } from 'vitest'
import { outlookOf } from '../../scripts/deploy-outlook.ts'

const deployed = { name: 'tax', release: '1.2.0', bindings: ['DB', 'KV', 'BACKUPS'], databases: ['DB'] }
const version = (release: string, bindings = ['DB', 'KV', 'BACKUPS'], more = {}) => ({
  version: { id: `id of ${release}`, release, code: release, bindings, by_secret: false, ...more },
  created_on: '2026-11-02T10:00:00Z',
  rollback: false,
})
const none = { missing: [], pending: [{ database_name: 'tax-db', names: [] }] }

describe('what a deploy will do', () => {
  it('of a new account is told as a first deploy', () => {
    const found = { deployments: [], missing: ['tax-db'], pending: [] }
    expect(outlookOf(found, deployed)).toEqual([
      'The name tax is free: this is a first deploy',
      'Is made: tax-db',
      'No migration is pending',
      'A rollback is not possible after a first deploy',
    ])
  })

  it('of a later one names what is new, what is taken away and which migrations are pending', () => {
    const pending = [
      { database_name: 'tax-db', names: ['0385_a.sql', '0390_b.sql'] },
      { database_name: 'tax-books-1', names: [] },
    ]
    const found = { deployments: [version('1.1.0', ['DB', 'KV', 'CERTIFICATES'])], missing: [], pending }
    expect(outlookOf(found, deployed)).toEqual([
      'tax runs 1.1.0 since 2026-11-02T10:00:00Z',
      'New bindings and variables: BACKUPS',
      'TAKEN AWAY, because neither wrangler.toml nor wrangler.own.toml has it: CERTIFICATES',
      'Pending migrations: tax-db: 0385_a.sql, 0390_b.sql',
      'A rollback would then run 1.1.0 again (id of 1.1.0); the migrations would stay',
    ])
  })

  it('that changes nothing is told in four lines', () => {
    expect(outlookOf({ deployments: [version('1.1.0')], ...none }, deployed)).toHaveLength(4)
  })

  it('says when a rollback would be refused', () => {
    const sharded = { ...deployed, databases: ['DB', 'BOOKS_1'] }
    const last = outlookOf({ deployments: [version('1.1.0')], ...none }, sharded).at(-1)
    expect(last).toMatch(/^A rollback would then be refused: The release before has no binding for BOOKS_1/)
  })
})
