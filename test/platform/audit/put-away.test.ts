import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { verifyAudit } from '../../../scripts/verify/audit.ts'
import { wholeDb } from '../../../src/platform/database/databases.ts'
import { throughDoor } from '../../../src/platform/database/doors.ts'
import { newId } from '../../../src/platform/database/ids.ts'
import { insertRows } from '../../../src/platform/database/insert-rows.ts'
import { auditIdOf } from '../../../src/platform/database/values/audit-ids.ts'
import { shardOf } from '../../../src/platform/database/shards.ts'
import { putAwayEvents } from '../../../src/platform/audit/put-away/put-away.ts'
import { sealAuditEvents } from '../../../src/platform/audit/seal.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'
import { dyingAt } from '../../sales/sealed/dying.ts'
import {
  askSealed,
  BUCKET,
  count,
  putAway,
  seal,
  sellMany,
  WITH_CHESTS,
  wholeLog,
} from '../../sales/sealed/sealed.ts'
import { move } from '../../service/shards/moving.ts'
import { newAccount } from '../../support/account.ts'
import { interceptedDatabase } from '../../support/intercepted-database.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'

keepAccountsIn(0)
await loadTestData()

const LINES = '/v1/reports/lines?from_date=2026-01-01&to_date=2026-12-31&limit=100'

let owner = { key: '', account_id: '' }
let events: Record<string, unknown>[] = []

const verify = (db = wholeDb(env.DB)) =>
  verifyAudit(db, owner.account_id, new Date(Date.now() + 3_600_000), null, { chests: BUCKET })

const auditIds = async () => {
  const { body } = await askSealed('GET', LINES, owner.key)
  return (body['lines'] as { id: string; audit_id: string }[]).map(({ id, audit_id }) => [id, audit_id])
}

beforeEach(async () => {
  owner = await newAccount()
  await askSealed('PUT', '/v1/account', owner.key, { country: 'DE' })
  await sellMany(owner.key, 0, 12)
  await askSealed('POST', '/v1/customers', owner.key, { name: 'A' })
  await sellMany(owner.key, 12, 12)
  await sealAuditEvents(shardOf(env, 0), new Date(Date.now() + 86_400_000))
  events = await wholeLog(owner.key)
})

describe('audit events of old sales', () => {
  it('leave the database with their seals, and are listed and verified as before', async () => {
    const [before, ids, rows] = [
      await verify(),
      await auditIds(),
      await count('audit_events', owner.account_id),
    ]
    await putAway({}, 9)
    expect(await count('audit_events', owner.account_id)).toBeLessThanOrEqual(rows - 20)
    expect(await count('audit_seals', owner.account_id)).toBe(await count('audit_events', owner.account_id))
    for (const limit of [3, 50]) expect(await wholeLog(owner.key, limit)).toEqual(events)
    expect(await auditIds()).toEqual(ids)
    expect(await verify()).toEqual(before)
    expect(before.faults).toEqual([])
  })

  it('are in rows of the database without a bucket', async () => {
    const [before, ids] = [await verify(), await auditIds()]
    const none = { ...WITH_CHESTS }
    delete none.CHESTS
    for (let tick = 0; tick < 9; tick += 1)
      await putAwayEvents(none, shardOf(env, 0), new Date(Date.now() + 500 * 86_400_000), 4)
    expect((await BUCKET.list({ prefix: `log/${owner.account_id}/` })).objects).toEqual([])
    expect(await wholeLog(owner.key, 5)).toEqual(events)
    expect(await auditIds()).toEqual(ids)
    expect(await verifyAudit(env.DB, owner.account_id, new Date(Date.now() + 3_600_000))).toEqual(before)
    await putAway()
    expect(await wholeLog(owner.key, 5)).toEqual(events)
    expect(await verify()).toEqual(before)
    const forged = () =>
      env.DB.prepare("UPDATE audit_chests SET content = 'AAAA' WHERE content <> '' AND account_id = ?").bind(
        owner.account_id,
      )
    await expect(forged().run()).rejects.toThrow('cannot be changed')
    await expect(env.DB.prepare('DELETE FROM audit_chests').run()).rejects.toThrow('cannot be deleted')
    await env.DB.batch(throughDoor(wholeDb(env.DB), owner.account_id, 'test', [forged()]))
    expect((await verify()).faults[0]?.message).toContain('not as it was written')
  })

  it('are found by their sale and by days, also if they have ids of their own', async () => {
    const sale = events.find(({ action }) => action === 'transaction.created')
    const id = String(events.at(-3)?.['id'])
    const other = `${id.slice(0, 22)}00000000`
    await env.DB.batch(
      throughDoor(wholeDb(env.DB), owner.account_id, 'test', [
        env.DB.prepare('UPDATE audit_events SET id = ? WHERE id = ?').bind(other, id),
        env.DB.prepare('UPDATE audit_seals SET audit_id = ? WHERE audit_id = ?').bind(other, id),
      ]),
    )
    await putAway({}, 9)
    const of = String(events.at(-3)?.['resource_id'])
    expect(await wholeLog(owner.key, 5, `&resource_id=${of}`)).toMatchObject([{ id: other, resource_id: of }])
    expect((await auditIds()).filter(([, audit_id]) => audit_id === other)).toHaveLength(2)
    expect(await wholeLog(owner.key, 5, `&resource_id=${String(sale?.['resource_id'])}`)).toEqual([sale])
    const day = String(sale?.['created_at']).slice(0, 10)
    expect(await wholeLog(owner.key, 5, `&from_date=${day}&to_date=${day}`)).toHaveLength(events.length)
    expect(await wholeLog(owner.key, 5, '&to_date=2020-01-01')).toEqual([])
    expect(await wholeLog(owner.key, 5, '&from_date=2099-01-01')).toEqual([])
    expect(await wholeLog(owner.key, 5, '&resource_id=txn_')).toEqual([])
  })

  it('stay the same if their sale is sealed, thawed and refunded, and the chain goes on', async () => {
    await putAway({}, 9)
    await seal()
    const refund = { amount: 5, reason: 'partial' }
    const { body } = await askSealed('GET', '/v1/transactions/external/order-3', owner.key)
    const made = await askSealed('POST', `/v1/transactions/${String(body['id'])}/refund`, owner.key, refund)
    expect(made.status, made.text).toBe(200)
    await putAway()
    expect((await verify()).faults).toEqual([])
    expect((await wholeLog(owner.key)).slice(1)).toEqual(events)
  })

  it('are neither lost nor doubled, whichever trip is the last', async () => {
    for (const made of [true, false])
      for (let trip = 1, done = false; !done; trip += 1) {
        const { bindings, ended } = dyingAt(trip, made)
        const rows = await count('audit_events', owner.account_id)
        await putAway(bindings).catch((thrown: unknown) =>
          expect(String(thrown)).toMatch(/died|cannot be read/),
        )
        done = ended()
        expect(await wholeLog(owner.key, 50), `trip ${trip}, ${rows} rows`).toEqual(events)
        expect((await verify()).faults, `trip ${trip}`).toEqual([])
      }
    await putAway({}, 9)
    const objects = await BUCKET.list({ prefix: `log/${owner.account_id}/` })
    const chests = await env.DB.prepare(
      "SELECT object FROM audit_chests WHERE account_id = ? AND object <> '' ORDER BY object",
    )
      .bind(owner.account_id)
      .all<{ object: string }>()
    const known = chests.results.map(({ object }) => object)
    const others = objects.objects.map(({ key }) => key).filter((key) => !known.includes(key))
    expect(objects.objects).toHaveLength(known.length + others.length)
    // The next range deletes what deaths have left of the last one.
    const last = String(known.at(-1)).slice(0, -104)
    expect(others.filter((key) => !key.startsWith(last))).toEqual([])
  })

  it('are put away once by two ticks, and not while a backup runs', async () => {
    await env.DB.prepare("INSERT INTO job_cursors (name, after) VALUES ('backup', '')").run()
    await putAway()
    expect(await count('audit_chests', owner.account_id)).toBe(0)
    await env.DB.prepare("DELETE FROM job_cursors WHERE name = 'backup'").run()
    await Promise.all([putAway({ BACKUPS: BUCKET }), putAway({ BACKUPS: BUCKET })])
    await putAway({ BACKUPS: BUCKET })
    expect(await wholeLog(owner.key)).toEqual(events)
    const { results } = await env.DB.prepare(
      "SELECT object FROM audit_chests WHERE account_id = ? AND object <> ''",
    )
      .bind(owner.account_id)
      .all<{ object: string }>()
    for (const { object } of results) expect(await BUCKET.head(`chests/${object}`)).not.toBeNull()
  })

  it('are named by the check, and no silence, if their object is absent or altered', async () => {
    await putAway({}, 9)
    const [{ key: object } = { key: '' }] = (await BUCKET.list({ prefix: `log/${owner.account_id}/` }))
      .objects
    await BUCKET.put(object, 'other')
    expect((await verify()).faults[0]?.message).toContain('not as it was written')
    await BUCKET.delete(object)
    expect((await verify()).faults[0]?.message).toContain('is absent')
    const { status, body } = await askSealed('GET', '/v1/audit-events?limit=100', owner.key)
    expect([status, body['reason']]).toEqual([503, 'sealed_sale_unreadable'])
    await expect(verifyAudit(env.DB, owner.account_id, new Date())).rejects.toThrow('bind it as CHESTS')
  })

  it('are verified while they are put away', async () => {
    for (let at = 1; at <= 6; at += 1) {
      let trips = 0
      const db = interceptedDatabase(env.DB, async (trip) => {
        const result = await trip()
        trips += 1
        if (trips === at) await putAway()
        return result
      })
      expect((await verify(wholeDb(db))).faults, `trip ${at}`).toEqual([])
    }
  })

  it('are packed a thousand at once, within the limits of the platform', async () => {
    const { account_id } = owner
    const rows = Array.from({ length: 1_050 }, () => {
      const resource_id = newId('txn')
      return {
        id: auditIdOf(resource_id),
        account_id,
        key_id: newId('key'),
        action: 'transaction.created',
        resource_id,
        changed: '[]',
        request_id: newId('req'),
        created_at: new Date().toISOString(),
        field_values: null,
      }
    })
    await env.DB.batch([
      ...insertRows(wholeDb(env.DB), 'audit_events', rows),
      env.DB.prepare('UPDATE account_usage SET audit_events = 1076 WHERE account_id = ?').bind(account_id),
    ])
    const at = new Date(Date.now() + 500 * 86_400_000)
    await sealAuditEvents(shardOf(env, 0), at)
    await putAwayEvents({}, shardOf(env, 0), at)
    const usage = 'SELECT audit_events AS n FROM account_usage WHERE account_id = ?'
    const left = await env.DB.prepare(usage).bind(account_id).first<number>('n')
    expect(await count('audit_chests', account_id)).toBe(1)
    expect(left).toBe(1_076 - 998)
    expect((await verify()).faults).toEqual([])
    const last = `&resource_id=${rows[900]?.resource_id ?? ''}`
    expect(await wholeLog(owner.key, 5, last)).toMatchObject([{ id: rows[900]?.id }])
  })

  it('move with their account', async () => {
    await putAway({}, 9)
    await move(owner, 1)
    forgetAll()
    expect(await wholeLog(owner.key)).toMatchObject(events)
    expect((await verify()).faults).toEqual([])
    expect((await verify(wholeDb(shardOf(WITH_CHESTS, 1).books as never))).faults).toEqual([])
  })
})
