import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PICTURE_BYTES_MAX, takePictures } from '../../lab/take-pictures.ts'
import { PROJECT } from '../../scripts/wrangler.ts'
import { type ConsoleTest, startConsole } from './console.ts'

let console_test: ConsoleTest
const folder = mkdtempSync(join(tmpdir(), 'pictures-'))

beforeAll(async () => {
  console_test = await startConsole()
  await console_test.api('POST', '/v1/account/example-books')
})
afterAll(async () => {
  await console_test?.close()
  rmSync(folder, { recursive: true })
})

it('the example books make the pictures that README.md shows, each small enough', async () => {
  const { browser, service } = console_test
  const paths = await takePictures(browser, service, folder)
  expect(paths.map((path) => basename(path))).toEqual(['reason.webp', 'return.webp', 'nexus.webp'])
  const shown = [
    ...readFileSync(join(PROJECT, 'README.md'), 'utf8').matchAll(/docs\/pictures\/(\w+\.webp)\)\]/g),
  ]
  expect(shown.map(([, name]) => name)).toEqual(paths.map((path) => basename(path)))
  const kept = paths.map((path) => join(PROJECT, 'docs/pictures', basename(path)))
  for (const path of [...paths, ...kept]) {
    expect(readFileSync(path).subarray(8, 12).toString(), path).toBe('WEBP')
    expect(statSync(path).size, path).toBeLessThanOrEqual(PICTURE_BYTES_MAX)
    // A view without its contents has less.
    expect(statSync(path).size, path).toBeGreaterThan(20_000)
  }
})
