import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { entryFirst } from '../../scripts/built-worker.ts'
import { evaluatedAtStart, reachableModules, START_MAX } from '../../scripts/worker-modules.ts'
import { runWrangler } from '../../scripts/wrangler.ts'
import { type CloudflareApi, type Part, serveCloudflareApi } from './cloudflare-api.ts'

describe.each(['', 'staging'])('wrangler deploy --env=%s', (environment) => {
  let api: CloudflareApi
  let parts: readonly Part[] = []

  beforeAll(async () => {
    api = await serveCloudflareApi()
    vi.stubEnv('CLOUDFLARE_API_BASE_URL', api.url)
    vi.stubEnv('CLOUDFLARE_API_TOKEN', 'a token for tests')
    vi.stubEnv('CLOUDFLARE_ACCOUNT_ID', '0123456789abcdef0123456789abcdef')
    await runWrangler(['deploy', `--env=${environment}`])
    expect(api.uploads).toHaveLength(1)
    parts = api.uploads[0] ?? []
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await api.close()
  })

  const modules = () => {
    const scripts = parts.filter(({ type }) => type === 'application/javascript+module')
    return entryFirst(scripts.map(({ name, text }) => ({ name, contents: text })))
  }
  const namesOf = (list: readonly { name: string }[]) => list.map(({ name }) => name).toSorted()

  it('names the entry as the main module', () => {
    const metadata: unknown = JSON.parse(parts.find(({ name }) => name === 'metadata')?.text ?? '')
    expect(metadata).toMatchObject({ main_module: modules()[0].name })
  })

  it('uploads every module that the entry imports at once or later, and no other', () => {
    expect(modules().length).toBeGreaterThan(3)
    expect(namesOf(reachableModules(modules()))).toEqual(namesOf(modules()))
  })

  it('uploads nothing beside the modules, their source maps and the metadata', () => {
    const maps = modules().map(({ name }) => ({ name: `${name}.map` }))
    expect(namesOf(parts)).toEqual(namesOf([...modules(), ...maps, { name: 'metadata' }]))
    for (const { name, type } of parts) if (name.endsWith('.map')) expect(type).toBe('application/source-map')
  })

  it('uploads no more than the bound that a start evaluates', () => {
    const first = evaluatedAtStart(modules())
    expect(first.length).toBeLessThan(modules().length)
    const text = first.map(({ contents }) => contents).join('')
    expect(Buffer.byteLength(text)).toBeLessThan(START_MAX.bytes)
    expect(gzipSync(text).length).toBeLessThan(START_MAX.gzipped)
  })
})
