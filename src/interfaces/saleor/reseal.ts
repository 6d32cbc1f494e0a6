import type { Bindings } from '../../platform/bindings.ts'
import { eachApart } from '../../platform/each-apart.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import { inSlices } from '../../platform/database/slices.ts'
import { keepOldKeys } from '../../notices/delivery/kept-keys.ts'
import { keyIdOf } from '../../notices/delivery/secrets.ts'
import { readSealedInstalls, replaceSealedInstall } from './reseal-store.ts'
import { openOf, sealOf, type SecretName } from './secrets.ts'

/** Shops whose secrets one slice seals again. */
const SLICE = 50

/** Seals the secrets of all shops under ENCRYPTION_KEY_NEXT, while it is set: as `resealSecrets`. */
export async function resealInstalls(env: Bindings, now: Date): Promise<void> {
  const { ENCRYPTION_KEY_NEXT } = env
  if (!ENCRYPTION_KEY_NEXT) return
  const key_id = await keyIdOf(ENCRYPTION_KEY_NEXT)
  // First: no secret may lose its old key before that is kept for a restore.
  await keepOldKeys(env, now)
  let after = ''
  await inSlices(async () => {
    const rows = await readSealedInstalls(env.DB, key_id, after, SLICE)
    const replaced: D1PreparedStatement[] = []
    const work = async (row: (typeof rows)[number]) => {
      const { id, api_key, auth_token } = row
      const sealed = {
        api_key: await reseal(env, id, 'api_key', api_key),
        auth_token: auth_token === null ? null : await reseal(env, id, 'auth_token', auth_token),
      }
      replaced.push(replaceSealedInstall(env.DB, row, sealed))
    }
    await eachApart(rows, work, ({ id, account_id }, thrown) =>
      logFault({ job: 'resealInstalls', account_id, install_id: id }, thrown),
    )
    after = rows.at(-1)?.id ?? after
    if (replaced.length > 0) await env.DB.batch(replaced)
    return rows.length === SLICE
  })
}

async function reseal(env: Bindings, id: string, name: SecretName, sealed: string): Promise<string> {
  return sealOf(env, id, name, await openOf(env, id, name, sealed))
}
