import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { au } from '../../collectors/au.ts'
import { fetchDocument, shownAddress } from '../../collectors/documents.ts'
import { runCollector } from '../../collectors/pipeline.ts'
import type { Published } from '../support/source-server.ts'
import { SOURCE_HOST } from '../support/source-server.ts'
import { NOW, publish, shipData } from './collecting.ts'
import registering from './documents/au/registering-for-gst.html?raw'

const PAGE: Published = { body: 'A page that is long enough. '.repeat(20), type: 'text/html' }
const fetching = { kv: env.KV, pause_ms: 1, timeout_ms: 20_000 }

async function published(document: Published, name = crypto.randomUUID()): Promise<string> {
  const url = `https://${SOURCE_HOST}/${name}`
  await publish(url, document)
  return url
}
const read = async (url: string) => fetchDocument({ url, accept: 'text/html, text/xml' }, fetching)

describe('a document', () => {
  it('that moved says where to, without the query of the address', async () => {
    const url = await published({ ...PAGE, status: 301, location: 'https://other.example/new?token=secret' })
    await expect(read(url)).rejects.toThrow(/answered 301 and points to https:\/\/other\.example\/new$/)
  })

  it('is read past a redirect that only adds a slash', async () => {
    const name = crypto.randomUUID()
    await published(PAGE, `${name}/`)
    const url = await published({ ...PAGE, status: 301, location: `/${name}/` }, name)
    expect((await read(url)).text).toBe(PAGE.body)
  })

  it('that asks for a long pause is left alone until the next run', async () => {
    const url = await published({ ...PAGE, status: 429, retry_after: '3600' })
    await expect(read(url)).rejects.toThrow('answered 429')
    expect(await (await fetch(`${url}?asked`)).json()).toBe(1)
  })

  it('is asked for again after the pause that the source names', async () => {
    const url = await published({ ...PAGE, fails_first: 1, retry_after: '1' })
    const began = Date.now()
    expect((await read(url)).text).toBe(PAGE.body)
    expect(Date.now() - began).toBeGreaterThanOrEqual(900)
  })

  it('keeps the text of a SOAP fault', async () => {
    const body = '<env:Fault><faultstring>TEDB-ERR-2 - Request is not valid</faultstring></env:Fault>'
    const url = await published({ body, type: 'text/xml', status: 500 })
    await expect(read(url)).rejects.toThrow('answered 500 (TEDB-ERR-2 - Request is not valid)')
  })

  it('never shows the token of a mirror', async () => {
    expect(shownAddress('https://me:word@mirror.example/rates?token=secret#x')).toBe(
      'https://mirror.example/rates',
    )
    const url = await published({ ...PAGE, status: 404 })
    await expect(read(`${url}?token=secret`)).rejects.toThrow(/^[^?]* answered 404$/)
  })
})

describe('a run', () => {
  beforeEach(shipData)

  it('that is dry keeps no document', async () => {
    const url = await published({ body: registering, type: 'text/html', etag: '"v1"' })
    const options = { now: NOW, addresses: { SOURCE_AU_GST: url }, pause_ms: 1 }
    const keys = async () => (await env.KV.list({ prefix: 'document:' })).keys.length
    const before = await keys()
    await runCollector(env, au, { ...options, dry_run: true })
    expect(await keys()).toBe(before)
    await runCollector(env, au, options)
    expect(await keys()).toBe(before + 1)
  })
})
