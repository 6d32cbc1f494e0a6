import type { BooksDb } from '../../platform/database/databases.ts'
import type { Bindings } from '../../platform/bindings.ts'
import { eachApart, inHalves } from '../../platform/each-apart.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import { inSlices } from '../../platform/database/slices.ts'
import { readSealed, replaceSealed } from './reseal-store.ts'
import { keepOldKeys, openSecret } from '../delivery/kept-keys.ts'
import { encryptSecret, keyIdOf } from '../delivery/secrets.ts'

/** Secrets that one slice encrypts again. */
const SLICE = 100

/**
 * Encrypts the secrets of all webhooks under ENCRYPTION_KEY_NEXT, in slices, while it is set. A secret that
 * is rotated meanwhile stays as it is, and so does one that no key opens.
 */
export async function resealSecrets(env: Bindings, books: BooksDb): Promise<void> {
  const { ENCRYPTION_KEY_NEXT } = env
  if (!ENCRYPTION_KEY_NEXT) return
  const key_id = await keyIdOf(ENCRYPTION_KEY_NEXT)
  // First: no secret may lose its old key before that is kept for a restore.
  await keepOldKeys(env, new Date())
  let after = ''
  await inSlices(async () => {
    const rows = await readSealed(books, key_id, after, SLICE)
    const resealed: Parameters<typeof replaceSealed>[1][number][] = []
    const work = async ({ id, secret, previous_secret }: (typeof rows)[number]) =>
      resealed.push({
        id,
        before: secret,
        secret: await reseal(env, id, secret),
        previous_secret: previous_secret === null ? null : await reseal(env, id, previous_secret),
      })
    const failed = ({ id }: { id: string }, thrown: unknown) =>
      logFault({ job: 'resealSecrets', webhook_id: id }, thrown)
    await eachApart(rows, work, failed)
    after = rows.at(-1)?.id ?? after
    await inHalves(resealed, async (some) => void (await replaceSealed(books, some).run()), failed)
    return rows.length === SLICE
  })
}

async function reseal(env: Bindings, id: string, stored: string): Promise<string> {
  return encryptSecret(env, id, await openSecret(env, id, stored))
}
