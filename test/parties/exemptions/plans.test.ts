import { expect, it } from 'vitest'
import { readTaxFields } from '../../../src/parties/customers/tax-fields-store.ts'
import type { BooksDb } from '../../../src/platform/database/databases.ts'
import { countUses } from '../../../src/parties/exemptions/uses-store.ts'
import { newAccount } from '../../support/account.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

const { books } = keepAccountsIn(1)

await loadTestData()

const CUSTOMER = 'cust_00000000000000000000000000'

/** A database that also says how it reads the table for each statement that is bound. */
function explaining(plans: Promise<string[]>[]): BooksDb {
  return new Proxy(books, {
    get(target, name) {
      if (name === 'batch') return (statements: D1PreparedStatement[]) => target.batch(statements)
      if (name !== 'prepare') return Reflect.get(target, name)
      return (sql: Parameters<BooksDb['prepare']>[0]) => ({
        bind: (...values: unknown[]) => {
          if (sql.includes('exemptions')) plans.push(planOf(sql, values))
          return target.prepare(sql).bind(...values)
        },
      })
    },
  })
}

async function planOf(sql: string, values: unknown[]): Promise<string[]> {
  const plan = books.prepare(`EXPLAIN QUERY PLAN ${sql}` as Parameters<BooksDb['prepare']>[0]).bind(...values)
  const { results } = await plan.all<{ detail: string }>()
  return results.map(({ detail }) => detail).filter((detail) => detail.includes(' exemptions '))
}

it('a calculation for a customer reads the exemptions of that customer alone', async () => {
  const plans: Promise<string[]>[] = []
  await readTaxFields(explaining(plans), 'acc_1', [CUSTOMER])
  expect(await Promise.all(plans)).toEqual([[expect.stringContaining('customer_id=? AND account_id=?')]])
})

it('a sale counts the certificates that it rests on without a look at the others', async () => {
  const plans: Promise<string[]>[] = []
  countUses(explaining(plans), 'acc_1', ['exm_1'], 1)
  expect(await Promise.all(plans)).toEqual([[expect.stringContaining('account_id=? AND id=?')]])
})

it('a sale and its void change the number of sales of each certificate', async () => {
  const { key, account_id } = await newAccount()
  const { id } = (await call('POST', '/v1/customers', { key, body: { name: 'Ada' } })).body
  const path = `/v1/customers/${String(id)}/exemptions`
  const add = async (certificate_number: string) => {
    const exemption = { jurisdiction_id: 'US', exemption_type: 'other', valid_from: '2026-01-01' }
    return String((await call('POST', path, { key, body: { ...exemption, certificate_number } })).body['id'])
  }
  const [first, second, third] = [await add('A'), await add('B'), await add('C')]
  const count = async () => {
    const read = books.prepare(
      'SELECT sales FROM exemptions WHERE account_id = ? ORDER BY certificate_number',
    )
    return (await read.bind(account_id).all<{ sales: number }>()).results.map(({ sales }) => sales)
  }
  await books.batch(countUses(books, account_id, [first, first, second], 1))
  expect(await count()).toEqual([2, 1, 0])
  await books.batch(countUses(books, account_id, [first, third], -1))
  expect(await count()).toEqual([1, 1, 0])
  await books.batch(countUses(books, 'acc_other', [first], 1))
  expect(await count()).toEqual([1, 1, 0])
})
