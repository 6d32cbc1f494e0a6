import type { BooksDb } from '../../src/platform/database/databases.ts'
import { sha256 } from '../../src/platform/kit/sha256.ts'
import type { SealedOf } from '../../src/sales/sealed/read-sealed.ts'
import { unpackAll } from '../../src/sales/sealed/seal.ts'
import type { ChestRow } from '../../src/sales/sealed/seal-store.ts'

/** The bucket of sealed sales, if one is bound. */
export type BoundChests = { chests?: R2Bucket }

/**
 * Where sealed sales and lines of returns of an account are; null: it has none. Throws if it has, and no
 * bucket is bound.
 */
export async function sealedSource(
  books: BooksDb,
  account_id: string,
  { chests }: BoundChests,
): Promise<SealedOf | null> {
  const found = await books
    .prepare(
      `SELECT 1 AS found FROM sealed_accounts WHERE account_id = ?1
       UNION ALL SELECT 1 FROM sealed_returns WHERE account_id = ?1`,
    )
    .bind(account_id)
    .first()
  if (found === null) return null
  if (chests === undefined) throw new Error('The account has sealed rows: bind their bucket as CHESTS')
  return { env: { CHESTS: chests }, books, principal: { account_id } }
}

/** The chests of an account whose object is absent, is not as it was written, or does not follow the last. */
export async function faultsOfChests({ env, books, principal }: SealedOf): Promise<string[]> {
  const faults: string[] = []
  let previous = ''
  for (let number = 0; ;) {
    const chest = await books
      .prepare('SELECT * FROM chests WHERE account_id = ? AND number > ? ORDER BY number LIMIT 1')
      .bind(principal.account_id, number)
      .first<ChestRow>()
    if (chest === null) return faults
    if (chest.previous_sha256 !== previous) faults.push(`Chest ${chest.number} does not follow the last one`)
    if (chest.object !== '') faults.push(...(await faultsOfObject(env, books, chest)))
    previous = chest.sha256
    number = chest.number
  }
}

async function faultsOfObject(
  { CHESTS }: SealedOf['env'],
  books: BooksDb,
  chest: ChestRow,
): Promise<string[]> {
  const stored = await CHESTS?.get(chest.object)
  if (!stored) return [`Chest ${chest.number} is absent: ${chest.object}`]
  const bytes = new Uint8Array(await stored.arrayBuffer())
  const whole = (await sha256(bytes)) === chest.sha256 && (await unpackAll(books, chest, bytes)) !== null
  return whole ? [] : [`Chest ${chest.number} is not as it was written: ${chest.object}`]
}
