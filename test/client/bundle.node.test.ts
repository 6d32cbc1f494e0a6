import { gzipSync } from 'node:zlib'
import { buildSync } from 'esbuild'
import { expect, it } from 'vitest'
import { PROJECT } from '../../scripts/wrangler.ts'

/** The minified code of a program for browsers and Workers. An import of Node would fail the build. */
function bundled(program: string): Buffer {
  const { outputFiles } = buildSync({
    stdin: { contents: program, resolveDir: PROJECT, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  })
  return Buffer.concat(outputFiles.map(({ contents }) => contents))
}

it('is small in a browser or a Worker', () => {
  const code = bundled(`import { createClient } from './client/src/client.ts'; export { createClient }`)
  expect(code.length).toBeGreaterThan(5_000)
  expect(code.length).toBeLessThan(19_040)
  expect(gzipSync(code).length).toBeLessThan(4_950)
})

it('leaves the rest out of a receiver of webhooks', () => {
  const code = bundled(`export { verifyWebhook } from './client/src/client.ts'`)
  expect(code.toString()).not.toContain('/v1/')
  expect(code.length).toBeLessThan(3_000)
})
