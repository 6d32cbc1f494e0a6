import type { Bindings } from '../../platform/bindings.ts'
import { eachApart } from '../../platform/each-apart.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import { inSlices } from '../../platform/database/slices.ts'
import { keepOldKeys } from '../delivery/kept-keys.ts'
import { keyIdOf } from '../delivery/secrets.ts'
import { readSealedMessages, replaceSealedMessages } from './reseal-store.ts'
import { openOf, sealOf } from './sealed.ts'

/** Texts that one slice seals again. */
const SLICE = 100

/** Seals the secrets of chats and of links to stop under ENCRYPTION_KEY_NEXT, while it is set. */
export async function resealMessages(env: Bindings, now: Date): Promise<void> {
  const { ENCRYPTION_KEY_NEXT } = env
  if (!ENCRYPTION_KEY_NEXT) return
  const key_id = await keyIdOf(ENCRYPTION_KEY_NEXT)
  await inSlices(async () => {
    const texts = await readSealedMessages(env.DB, key_id, SLICE)
    if (texts.length === 0) return false
    // First: no secret may lose its old key before that is kept for a restore.
    await keepOldKeys(env, now)
    const replaced: Parameters<typeof replaceSealedMessages>[1][number][] = []
    const work = async (text: (typeof texts)[number]) => {
      const { account_id, name, sealed } = text
      const after = await sealOf(env, account_id, name, await openOf(env, account_id, name, sealed))
      replaced.push({ ...text, after })
    }
    await eachApart(texts, work, ({ account_id, name }, thrown) =>
      logFault({ job: 'resealMessages', account_id, name }, thrown),
    )
    if (replaced.length > 0) await env.DB.batch(replaceSealedMessages(env.DB, replaced))
    return texts.length === SLICE && replaced.length > 0
  })
}
