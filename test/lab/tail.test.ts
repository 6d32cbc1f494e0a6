import { createServer, type RequestListener, type Server } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { sendEvenly, tailOf } from '../../lab/bench/tail.ts'

let server: Server | null = null
afterEach(() => server?.close())

async function worker(answer: RequestListener): Promise<{ origin: string; key: string }> {
  const started = createServer(answer)
  server = started
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve))
  const address = started.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return { origin: `http://127.0.0.1:${address.port}`, key: 'a key' }
}

const TARGET = { name: 'a sale', method: 'POST', path: '/v1/calculate', body: '{"ä":1}' } as const

it('sends all requests of an even load although a worker answers none before the last one', async () => {
  const waiting: (() => void)[] = []
  const bodies = new Set<string>()
  const stopped = await worker((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      bodies.add(`${request.headers.authorization} ${body}`)
      waiting.push(() => response.end('{}'))
      if (waiting.length === 60) for (const answer of waiting) answer()
    })
  })
  const times = await sendEvenly(stopped, TARGET, { seconds: 0.06, per_second: 1_000 })
  expect(times).toHaveLength(60)
  expect([...bodies]).toEqual(['Bearer a key {"ä":1}'])
  // The first request waited for the last one, which was sent 59 ms later.
  expect(Math.max(...times)).toBeGreaterThan(50)
})

it('fails if an answer is not a success', async () => {
  const refusing = await worker((request, response) => {
    request.resume()
    response.writeHead(429).end()
  })
  await expect(sendEvenly(refusing, TARGET, { seconds: 0.01, per_second: 100 })).rejects.toThrow(
    'a sale answers 429',
  )
})

it('tells the percentiles of times, and the mean of the slowest hundredth', () => {
  const times = Array.from({ length: 1_000 }, (_, index) => 1_000 - index)
  expect(tailOf(times)).toEqual({
    answers: 1_000,
    p50_ms: 501,
    p90_ms: 901,
    p99_ms: 991,
    p999_ms: 1_000,
    slowest_ms: 995.5,
  })
})
