import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { sealAuditEvents } from '../../../src/platform/audit/seal.ts'
import { shardsOf } from '../../../src/platform/database/shards.ts'
import { deleteOldCopies } from '../../../src/service/shards/delete-old-copies.ts'
import { installationOf } from '../../../src/service/shards/installation.ts'
import { moveAccount } from '../../../scripts/move-account/move-account.ts'
import { loadTestData } from '../../support/service-data.ts'
import { fill, ownerIn, sell, tools, transactionsOf } from './moving.ts'
import { moveWith, outcomeOf } from './interrupted.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'

beforeAll(loadTestData)

describe('two movers of an account', () => {
  it('a second one is refused while the first lives, and harms nothing', async () => {
    for (const at of [10, 20, 40]) {
      const owner = await ownerIn(1)
      await sell(owner, 'one')
      let second = ''
      const { outcome } = await moveWith(owner, at, async () => {
        second = await outcomeOf(moveAccount(tools(), owner.account_id, 2))
      })
      expect(second, `trip ${at}`).toContain('Another process moves')
      expect(outcome, `trip ${at}`).toBe('moved')
      forgetAll()
      expect((await sell(owner, 'two')).status).toBe(201)
      expect(await transactionsOf(owner)).toEqual(['one', 'two'])
    }
  })

  it('both at once end with the books in one place, whoever wins', async () => {
    for (let round = 0; round < 10; round += 1) {
      const owner = await ownerIn(1)
      await sell(owner, 'one')
      const outcomes = await Promise.all(
        [0, 1].map(() => outcomeOf(moveAccount(tools(), owner.account_id, 2))),
      )
      expect(outcomes).toContain('moved')
      forgetAll()
      expect((await sell(owner, 'two')).status).toBe(201)
      expect(await transactionsOf(owner)).toEqual(['one', 'two'])
    }
  })
})

describe('jobs in the middle of a move', () => {
  it('seal nothing that is being copied, wherever they run', async () => {
    for (let at = 1; ; at += 7) {
      const owner = await ownerIn(1)
      await fill(owner)
      const late = new Date(Date.now() + 120_000)
      const { outcome, reached } = await moveWith(owner, at, async () => {
        for (const shard of shardsOf(env)) await sealAuditEvents(shard, late)
      })
      if (!reached) break
      expect(outcome, `trip ${at}`).toBe('moved')
    }
  })

  it('delete no old copy before the books are open elsewhere', async () => {
    for (let at = 1; ; at += 7) {
      const owner = await ownerIn(1)
      await sell(owner, 'one')
      const { outcome, reached } = await moveWith(owner, at, async () => {
        for (const shard of shardsOf(env))
          await deleteOldCopies(installationOf(env), shard, new Date(Date.now() + 7_200_000))
      })
      if (!reached) break
      expect(outcome, `trip ${at}`).toBe('moved')
      forgetAll()
      expect(await transactionsOf(owner)).toEqual(['one'])
    }
  })
})
