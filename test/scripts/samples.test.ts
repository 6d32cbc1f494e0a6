import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { createClient } from '../../client/src/client.ts'
import { type Endpoint, sampleTexts, trialHtml } from '../../scripts/docs-site/samples.ts'
import { DOCUMENT } from './built.ts'

const endpoints: Endpoint[] = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
)

function sampleOf(endpoint: Endpoint, language: string): string {
  return sampleTexts(endpoint).find((each) => each.language === language)?.text ?? ''
}

const exampleOf = ({ operation }: Endpoint) => operation.requestBody?.content['application/json']?.example

describe.each(endpoints)('$method $path', (endpoint) => {
  const example = exampleOf(endpoint)

  it('has the example of the document in TypeScript, by a method of the client', async () => {
    const calls: { method: string; path: string; body: unknown }[] = []
    const fetch = async (request: Request) => {
      const body = await request.text()
      const { pathname } = new URL(request.url)
      calls.push({ method: request.method, path: pathname, body: body === '' ? undefined : JSON.parse(body) })
      return Response.json({}, { status: 404 })
    }
    const [, code = ''] = sampleOf(endpoint, 'typescript').split('createClient({ baseUrl, apiKey })\n')
    const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const tax = createClient({ baseUrl: 'https://tax.example.com', apiKey: 'x', fetch, retries: 0 })
    const openAsBlob = async () => new Blob([])
    const given = { tax, console, openAsBlob, ...Object.fromEntries(names.map((name) => [name, 'x'])) }
    await expect(runInNewContext(`(async () => {${code}})()`, given)).rejects.toThrow()
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, '[^/]+')
    expect(calls).toEqual([
      { method: endpoint.method, path: expect.stringMatching(new RegExp(`^${path}$`)), body: example },
    ])
  })

  it('has it in Python', () => {
    const [, literal = 'None'] =
      /data=json\.dumps\(([\s\S]*)\)\.encode\(\)/.exec(sampleOf(endpoint, 'python')) ?? []
    const words: Record<string, string> = { True: 'true', False: 'false', None: 'null' }
    const json = literal.replaceAll(
      /("(?:[^"\\]|\\.)*")|\b(\w+)\b/g,
      (_, text?: string, word = '') => text ?? words[word] ?? word,
    )
    expect(JSON.parse(json)).toEqual(example ?? null)
  })

  it('names each required parameter of its query', () => {
    const required = (endpoint.operation.parameters ?? []).filter(
      (each) => each.in === 'query' && each.required,
    )
    for (const { name } of required)
      for (const { language, text } of sampleTexts(endpoint)) expect(text, language).toContain(name)
  })

  it('says before it is tried whether it changes anything', () => {
    const keyed = endpoint.operation.parameters?.some(({ name }) => name === 'Idempotency-Key') === true
    const changes = keyed || endpoint.method === 'PUT' || endpoint.method === 'DELETE'
    const { requestBody } = endpoint.operation
    // The form sends JSON, so it sends no file.
    const tried = requestBody === undefined || 'application/json' in requestBody.content
    expect(trialHtml(endpoint).includes(' data-writes')).toBe(changes && tried)
  })
})
