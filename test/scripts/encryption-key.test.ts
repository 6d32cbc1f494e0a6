import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { type KeyTools, rotateEncryptionKey } from '../../scripts/rotate-encryption-key.ts'

const folder = mkdtempSync(join(tmpdir(), 'encryption-key-'))
const file = join(folder, 'next')
afterAll(() => rmSync(folder, { recursive: true }))
beforeEach(() => rmSync(file, { force: true }))

/** A service that has `others` webhooks under the old key, one fewer at each look. */
function service(others: number) {
  const secrets = new Map([['ENCRYPTION_KEY', 'old']])
  const steps: string[] = []
  const tools: KeyTools = {
    putSecret: async (name, value) => {
      secrets.set(name, value)
      steps.push(`put ${name}`)
    },
    deleteSecret: async (name) => {
      secrets.delete(name)
      steps.push(`delete ${name}`)
    },
    countOthers: async () => {
      steps.push(`count ${others}`)
      others = Math.max(0, others - 1)
      return Number(steps.at(-1)?.slice(6))
    },
    wait: async () => undefined,
    report: () => undefined,
  }
  return { secrets, steps, tools }
}

describe('the rotation of ENCRYPTION_KEY', () => {
  it('replaces the old key only after no webhook needs it, and leaves no file', async () => {
    const { secrets, steps, tools } = service(2)
    await rotateEncryptionKey(file, tools)
    expect(steps).toEqual([
      'put ENCRYPTION_KEY_NEXT',
      'count 2',
      'count 1',
      'count 0',
      'count 0',
      'put ENCRYPTION_KEY',
      'delete ENCRYPTION_KEY_NEXT',
    ])
    expect([...secrets.keys()]).toEqual(['ENCRYPTION_KEY'])
    expect(secrets.get('ENCRYPTION_KEY')).toMatch(/^[\w-]{43}$/)
    expect(existsSync(file)).toBe(false)
  })

  it('continues with the same key after it was killed', async () => {
    const { secrets, tools } = service(0)
    const dying = { ...tools, countOthers: () => Promise.reject(new Error('killed')) }
    await expect(rotateEncryptionKey(file, dying)).rejects.toThrow('killed')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const next = secrets.get('ENCRYPTION_KEY_NEXT')
    await rotateEncryptionKey(file, tools)
    expect(secrets.get('ENCRYPTION_KEY')).toBe(next)
  })
})
