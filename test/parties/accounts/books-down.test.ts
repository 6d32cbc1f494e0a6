import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { callWith, DOWN } from '../../faults/faulty.ts'
import { newAccount } from '../../support/account.ts'
import { interceptedDatabase } from '../../support/intercepted-database.ts'
import { keepAccountsIn } from '../../support/shards.ts'

it('shows an account whose shard does not answer, so that its owner can sign in to the console', async () => {
  const { books } = keepAccountsIn(1)
  const { key, account_id } = await newAccount()
  const down = { ...env, BOOKS_1: interceptedDatabase(books, () => Promise.reject(DOWN)) }
  const asked = { method: 'GET', path: '/v1/account', body: undefined }
  const { status, body } = await callWith(down, key, asked)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    id: account_id,
    attention: [{ reason: 'books_unavailable', resource_id: account_id }],
  })
})
