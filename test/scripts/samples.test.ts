import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { type Endpoint, samplesHtml, trialHtml } from '../../scripts/docs-site/samples.ts'
import { currentDocument } from '../../scripts/openapi.ts'

const endpoints: Endpoint[] = Object.entries(currentDocument().paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
)

function sampleOf(endpoint: Endpoint, language: string): string {
  const [, html = ''] = samplesHtml(endpoint).split(`class="sample ${language}">`)
  const [code = ''] = html.replace(/^<pre[^>]*><code>/, '').split('</code>')
  return code
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

const exampleOf = ({ operation }: Endpoint) => operation.requestBody?.content['application/json']?.example

describe.each(endpoints)('$method $path', (endpoint) => {
  const example = exampleOf(endpoint)

  it('has the example of the document in TypeScript', () => {
    const calls: { method: string; path: string; body: unknown }[] = []
    const http = new Proxy(
      {},
      {
        get:
          (_, method: string) =>
          (path: string, options: { body?: unknown } = {}) =>
            void calls.push({ method, path, body: options.body }),
      },
    )
    const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, 'x'])
    const code = sampleOf(endpoint, 'typescript').replace('const { data, error } = await ', '')
    runInNewContext(code, { tax: { http }, ...Object.fromEntries(names) })
    expect(calls).toEqual([{ method: endpoint.method, path: endpoint.path, body: example }])
  })

  it('has it in Python', () => {
    const [, literal = 'None,'] = /json=([\s\S]*),\n\)/.exec(sampleOf(endpoint, 'python')) ?? []
    const words: Record<string, string> = { True: 'true', False: 'false', None: 'null' }
    const json = literal
      .replace(/,$/, '')
      .replaceAll(
        /("(?:[^"\\]|\\.)*")|\b(\w+)\b/g,
        (_, text?: string, word = '') => text ?? words[word] ?? word,
      )
    expect(JSON.parse(json)).toEqual(example ?? null)
  })

  it('says before it is tried whether it changes anything', () => {
    const keyed = endpoint.operation.parameters?.some(({ name }) => name === 'Idempotency-Key') === true
    const changes = keyed || endpoint.method === 'PUT' || endpoint.method === 'DELETE'
    expect(trialHtml(endpoint).includes(' data-writes')).toBe(changes)
  })
})
