import { describe, expect, it } from 'vitest'
import { unzip } from '../../../collectors/us-local/unzip.ts'
import { zipOf } from '../../support/zip-file.ts'

/** The bytes in pieces, as a network gives them. */
async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size)
}

async function textOf(bytes: Uint8Array, size = 1_000): Promise<string> {
  let text = ''
  for await (const chunk of unzip(pieces(bytes, size), /\.csv$/i, 'file.zip'))
    text += new TextDecoder().decode(chunk)
  return text
}

const LINES = Array.from({ length: 60_000 }, (_, index) => `${index},${(index * 7_919) % 10_007}\n`).join('')

describe('an archive', () => {
  it.each([1, 29, 1_000, 10_000_000])('is unpacked from pieces of %i bytes', async (size) => {
    const text = LINES.slice(0, 3_000)
    expect(await textOf(await zipOf({ 'A.CSV': text }), size)).toBe(text)
    expect(await textOf(await zipOf({ 'A.CSV': text }, { descriptor: true }), size)).toBe(text)
  })

  it('is unpacked if it is larger than what is held back for its directory', async () => {
    const archive = await zipOf({ 'a.csv': LINES }, { descriptor: true })
    expect(archive.byteLength).toBeGreaterThan(200_000)
    expect(await textOf(archive, 65_536)).toBe(LINES)
  })

  it('may have other members before', async () => {
    expect(await textOf(await zipOf({ 'read.me': 'x'.repeat(5_000), 'a.csv': '1,2\n' }))).toBe('1,2\n')
  })

  it.each([
    ['half of it', async () => (await zipOf({ 'a.csv': LINES })).slice(0, 90_000), /cut off/],
    [
      'half of one with its sizes behind',
      async () => (await zipOf({ 'a.csv': LINES }, { descriptor: true })).slice(0, 190_000),
      /cut off/,
    ],
    ['a page', async () => new TextEncoder().encode('<html>'.repeat(30)), /no zip archive/],
    ['no table in it', async () => zipOf({ 'a.txt': 'x' }), /contains no member/],
    [
      'packed bytes that are wrong',
      async () => {
        const archive = await zipOf({ 'a.csv': LINES })
        return archive.fill(0xff, 2_000, 3_000)
      },
      /cannot be unpacked|checksum/,
    ],
  ])('is refused: %s', async (_, archive, says) => {
    await expect(textOf(await archive())).rejects.toThrow(says)
  })
})
