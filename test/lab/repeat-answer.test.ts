import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import constantWorker, { type Constant } from '../../lab/bench/constant-worker.ts'
import { repeatAnswer } from '../../lab/bench/repeat-answer.ts'
import { ONE_LINE } from '../../lab/bench/targets.ts'

const closing: (() => void)[] = []
afterEach(() => closing.splice(0).forEach((close) => close()))

type Answer = { status: number; headers?: Record<string, string>; text?: string }

/** A local server. `answer` gets the body of a request. */
async function serve(answer: (body: string) => Answer) {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      const { status, headers, text } = answer(body)
      response.writeHead(status, headers).end(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, key: 'a key', dispose: async () => undefined }
}

describe('the worker that repeats an answer', () => {
  it('gives the text and the headers of the service', async () => {
    const own = { 'content-type': 'application/json', 'cache-control': 'no-store' }
    const service = await serve((body) => {
      const { line_items }: { line_items: unknown[] } = JSON.parse(body)
      return { status: 200, headers: own, text: `{"lines":${line_items.length}}` }
    })
    let taken = ''
    const worker = await serve((body) => {
      taken = body
      return { status: 204 }
    })
    await repeatAnswer(worker, service, ONE_LINE)
    expect(JSON.parse(taken)).toEqual({ text: '{"lines":1}', headers: own } satisfies Constant)

    await constantWorker.request('/', { method: 'PUT', body: taken })
    const answer = await constantWorker.request('/v1/calculate', { method: 'POST', body: '{}' })
    expect(await answer.text()).toBe('{"lines":1}')
    expect(Object.fromEntries(answer.headers)).toEqual(own)
  })

  it('takes no answer that is not a success', async () => {
    const service = await serve(() => ({ status: 401, text: 'no key' }))
    const worker = await serve(() => ({ status: 204 }))
    await expect(repeatAnswer(worker, service, ONE_LINE)).rejects.toThrow('answers 401: no key')
  })
})
