import { beforeAll, describe, expect, it } from 'vitest'
import { moveAccount } from '../../../scripts/move-account/move-account.ts'
import { loadTestData } from '../../support/service-data.ts'
import { ownerIn, sell, tools, transactionsOf } from './moving.ts'
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
