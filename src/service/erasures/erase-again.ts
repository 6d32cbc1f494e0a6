import type { Bindings } from '../../platform/bindings.ts'
import type { AnyDb, BooksDb, ControlDb } from '../../platform/database/databases.ts'
import { guarded } from '../../platform/database/guard.ts'
import type { Erased } from '../../platform/database/note-erasure.ts'
import { eachApart } from '../../platform/each-apart.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import { readCursor, writeCursor } from '../../platform/database/pages-of-job.ts'
import type { Shard } from '../../platform/database/shards.ts'
import { inSlices } from '../../platform/database/slices.ts'
import { commitSystemChange } from '../../platform/writes/system-change.ts'
import { eraseCustomer } from '../../parties/customers/store.ts'
import { eraseRows } from './account.ts'
import { endAccess, markErased, readErased } from './account-store.ts'
import { beginOfDay, keysAfter, putErasures, readErasures } from './list.ts'
import {
  erasePersonAgain,
  forgetNoted,
  readErasedHere,
  readNoted,
  readPeopleErasedElsewhere,
  uncountCustomer,
} from './list-store.ts'

const CURSOR = 'erasures'
/** Erasures in a key of the list. */
const NOTED_MAX = 500
/** Persons, and slices of an account, that one run erases again: an invocation has 1,000 statements. */
const PERSONS_MAX = 20
const SLICES_MAX = 100

/** Takes new erasures to the list. One that dies between the two takes them again, which harms nothing. */
export async function keepErasures(env: Bindings, db: AnyDb, now: Date): Promise<void> {
  await inSlices(async () => {
    const noted = await readNoted(db, NOTED_MAX)
    if (noted.length === 0) return false
    await putErasures(env, now, noted)
    await forgetNoted(db, noted)
    return noted.length === NOTED_MAX
  })
}

/**
 * Erases again what the list has after the cursor of this database. A restored database has the cursor of its
 * moment, so what was erased since then goes within the next ticks, whoever restored it and how. One that
 * cannot be erased stops no other, and the cursor stays before it.
 */
export async function eraseAgain(env: Bindings, { number, books }: Shard, now: Date): Promise<void> {
  const today = now.toISOString().slice(0, 10)
  const after = (await readCursor(books, CURSOR)) ?? ''
  let failed = 0
  const fails = ({ account_id, customer_id }: Erased, thrown: unknown) => {
    failed += 1
    logFault({ job: 'eraseAgain', account_id, customer_id }, thrown)
  }
  for (const key of await keysAfter(env, after, today)) {
    const erased = await readErasures(env, key)
    if (!(await erasePersons(books, erased, now, fails))) return
    if (number === 0 && !(await erasePeopleAgain(env.DB, erased, now))) return
    if (!(await eraseAccounts(env, { number, books }, erased, now, fails))) return
    if (failed === 0) await writeCursor(books, CURSOR, key)
  }
  if (failed === 0 && after < beginOfDay(today)) await writeCursor(books, CURSOR, beginOfDay(today))
}

type Fails = (erased: Erased, thrown: unknown) => void

/** Returns whether none is left. */
async function erasePersons(
  books: BooksDb,
  erased: readonly Erased[],
  now: Date,
  fails: Fails,
): Promise<boolean> {
  const here = await readErasedHere(books, erased, PERSONS_MAX)
  const erase = async ({ account_id, customer_id }: Erased) => {
    const { belongings, customer } = eraseCustomer({ books, now, principal: { account_id } }, customer_id)
    await commitSystemChange(books, now, {
      changes: [...belongings, ...guarded(books, customer, 'not_found'), uncountCustomer(books, account_id)],
      audit: [{ account_id, action: 'customer.deleted', resource_id: customer_id, changed: [] }],
    })
  }
  await eachApart(here, erase, fails)
  return here.length < PERSONS_MAX
}

/** Returns whether none is left. */
async function eraseAccounts(
  env: Bindings,
  shard: Shard,
  erased: readonly Erased[],
  now: Date,
  fails: Fails,
): Promise<boolean> {
  let done = true
  const accounts = erased.filter(({ customer_id }) => customer_id === '')
  const erase = async ({ account_id }: Erased) => {
    if (done) done = await eraseAccount(env, shard, account_id, now)
  }
  await eachApart(accounts, erase, fails)
  return done
}

/** People whose name and e-mail were erased, which ended their access. Returns whether none is left. */
async function erasePeopleAgain(control: ControlDb, erased: readonly Erased[], now: Date): Promise<boolean> {
  const here = await readPeopleErasedElsewhere(control, erased, PERSONS_MAX)
  for (const { account_id, id } of here)
    await commitSystemChange(control, now, {
      changes: [erasePersonAgain(control, account_id, id, now.toISOString())],
      audit: [{ account_id, action: 'person.erased', resource_id: id, changed: ['email', 'name'] }],
    })
  return here.length < PERSONS_MAX
}

/** Returns whether nothing of the account is left to erase in this database. */
async function eraseAccount(
  { DB }: Bindings,
  { number, books }: Shard,
  id: string,
  now: Date,
): Promise<boolean> {
  const known = await readErased(books, id)
  // The end of a hold lets the list be done again.
  if (known === null || known.held_at !== null) return true
  const at = now.toISOString()
  if (known.erased_at === null)
    await (number > 0
      ? markErased(books, id, at).run()
      : commitSystemChange(DB, now, {
          changes: [...endAccess(DB, id, at), markErased(DB, id, at)],
          audit: [{ account_id: id, action: 'account.erased', resource_id: id, changed: ['erased_at'] }],
        }))
  if (known.home !== 'open') return true
  const { done } = await eraseRows(books, id, at, SLICES_MAX)
  return done
}
