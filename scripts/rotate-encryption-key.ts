import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { keyIdOf } from '../src/notices/delivery/secrets.ts'

/**
 * What a rotation does to the service. `countOthers`: what does not work with that key alone yet: webhooks,
 * moves that have not ended, and the old key, which is kept for a restore.
 */
export type KeyTools = {
  putSecret: (name: string, value: string) => Promise<void>
  deleteSecret: (name: string) => Promise<void>
  countOthers: (key_id: string) => Promise<number>
  wait: () => Promise<void>
  report: (line: string) => void
}

/**
 * Replaces ENCRYPTION_KEY without a pause. First the service gets the new key beside the old one, and its
 * next ticks encrypt all secrets again. When none is left, the new key takes the place of the old one. The
 * new key is kept in a file until the end, because no command can read it from the service. If the command
 * is killed, run it again: it continues with the same key.
 */
export async function rotateEncryptionKey(file: string, tools: KeyTools): Promise<void> {
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600 })
  const key = readFileSync(file, 'utf8')
  const key_id = await keyIdOf(key)
  await tools.putSecret('ENCRYPTION_KEY_NEXT', key)
  tools.report(`The service has the new key ${key_id} beside the old one`)
  // Twice: an isolate from before may still use the old key for some seconds.
  for (let empty = 0; empty < 2;) {
    await tools.wait()
    const others = await tools.countOthers(key_id)
    empty = others === 0 ? empty + 1 : 0
    if (others > 0) tools.report(`${others} webhooks, moves and kept keys still need the old key`)
  }
  await tools.putSecret('ENCRYPTION_KEY', key)
  await tools.deleteSecret('ENCRYPTION_KEY_NEXT')
  rmSync(file)
  tools.report('The new key has replaced the old one')
}
