import { expect, it } from 'vitest'
import { hashOfKey, isWellFormedKey, newApiKey } from '../../../src/parties/accounts/api-key.ts'

it('makes keys that carry their own checksum', () => {
  for (let index = 0; index < 200; index += 1) {
    const key = newApiKey(index % 2 === 0)
    expect(key).toMatch(index % 2 === 0 ? /^tcs_test_[0-9A-Za-z]{38}$/ : /^tcs_live_[0-9A-Za-z]{38}$/)
    expect(isWellFormedKey(key)).toBe(true)
  }
})

it('notices any one mistyped character', () => {
  const key = newApiKey(false)
  for (let index = 0; index < key.length; index += 1) {
    const other = key[index] === 'x' ? 'y' : 'x'
    expect(isWellFormedKey(key.slice(0, index) + other + key.slice(index + 1))).toBe(false)
  }
  for (const text of ['', 'tcs_live_', `${key} `, key.toUpperCase(), key.slice(1), `${key}0`])
    expect(isWellFormedKey(text)).toBe(false)
})

it('uses the CRC32 that everyone uses, in six base62 digits', () => {
  expect(isWellFormedKey(`tcs_live_${'0'.repeat(32)}${base62(CRC32_OF_ZEROS)}`)).toBe(true)
})

it('stores SHA-256 in hex', async () => {
  expect(await hashOfKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

/** Of 'tcs_live_' and 32 zeros, by zlib. */
const CRC32_OF_ZEROS = 0x98d1f00f

function base62(value: number): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  let text = ''
  for (let rest = value; text.length < 6; rest = Math.floor(rest / 62))
    text = (digits[rest % 62] ?? '') + text
  return text
}
