import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'

describe('the simulated platform has the documented limits', () => {
  it('of D1: 2,000,000 bytes in a bound value, counted in UTF-8', async () => {
    const sql = 'SELECT length(?) AS n'
    expect(await env.DB.prepare(sql).bind('x'.repeat(2_000_000)).first('n')).toBe(2_000_000)
    expect(() => env.DB.prepare(sql).bind('x'.repeat(2_000_001))).toThrow('too big')
    expect(() => env.DB.prepare(sql).bind('é'.repeat(1_000_001))).toThrow('too big')
  })

  it('of D1: 100 bound values, 100,000 bytes in a statement', () => {
    const values = Array.from({ length: 101 }, () => 1)
    expect(() => env.DB.prepare('SELECT 1').bind(...values)).toThrow('too many SQL variables')
    expect(() => env.DB.prepare(`SELECT '${'x'.repeat(100_000)}'`)).toThrow('statement too long')
  })

  it('of D1: 50 MB in the result of a statement, also within a batch', async () => {
    const rows = (count: number) =>
      env.DB.prepare(
        `WITH RECURSIVE row(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM row WHERE n < ?)
         SELECT n, hex(zeroblob(950000)) AS text FROM row`,
      ).bind(count)
    expect((await rows(2).all()).results).toHaveLength(2)
    await expect(rows(27).all()).rejects.toThrow('50 MB')
    await expect(env.DB.batch([rows(27)])).rejects.toThrow('50 MB')
  })

  it('of KV: 512 bytes in a key, 60 seconds to live', async () => {
    expect(() => env.KV.put('k'.repeat(513), '')).toThrow('414')
    expect(() => env.KV.put('k', '', { expirationTtl: 59 })).toThrow('expirationTtl')
    expect(() => env.KV.get('k', { cacheTtl: 29 })).toThrow('cacheTtl')
  })

  it('of Queues: 100 messages at once, a delay of a day', () => {
    const message = { body: { kind: 'event', id: 'evt', shard: 0 } } as const
    expect(() => env.WORK.sendBatch(Array.from({ length: 101 }, () => message))).toThrow('101 messages')
    expect(() => env.WORK.sendBatch([{ ...message, delaySeconds: 86_401 }])).toThrow('delay')
  })
})
