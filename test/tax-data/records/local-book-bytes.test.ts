import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import { publishedLocalVersion } from '../../../src/tax-data/records/current-local-book.ts'
import { writeLocalParts } from '../../../src/tax-data/records/write-local-parts.ts'

const MB = 1_000_000

/** Parts of 1 MB: two bytes a character. */
const large = (first: number, count: number, letter = 'é') =>
  Array.from({ length: count }, (_, index) => ({
    part: `zip5:X${first + index}`,
    content: letter.repeat(MB / 2),
  }))

const held = () =>
  env.DB.prepare('SELECT count(*) AS n FROM local_parts WHERE superseded_at IS NULL').first<number>('n')

it('warns of a local book above 8 MB, and refuses one above 16 MB whole', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const write = (parts: Parameters<typeof writeLocalParts>[1]) => writeLocalParts(env, parts, new Date())
  await env.DB.prepare('DELETE FROM local_parts').run()

  await write(large(0, 8))
  expect(warn).not.toHaveBeenCalled()
  // ZIP+4 are not in the book.
  await write([{ part: 'zip4:GA:303', content: 'x'.repeat(MB / 2) }])
  await write(large(8, 1, 'ü'))
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('"alarm":"local_book_bytes","value":9000024,'))

  const before = await publishedLocalVersion(env.KV)
  await expect(write(large(9, 8))).rejects.toThrow('The local book would have 17000024 bytes')
  expect([await held(), await publishedLocalVersion(env.KV)]).toEqual([10, before])
  // A part that is replaced counts once.
  await write(large(0, 9, 'ä'))
  expect(await held()).toBe(10)
})
