import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reverseProxy } from '../../scripts/reverse-proxy.ts'

/** Stands for wrangler: it tells what it was asked. */
const wrangler = createServer((request, response) => {
  const { method, url, headers } = request
  void text(request).then((body) =>
    response.writeHead(201, { 'X-Told': 'yes' }).end(JSON.stringify({ method, url, headers, body })),
  )
})
let proxy: Server

beforeAll(async () => {
  await once(wrangler.listen(0, '127.0.0.1'), 'listening')
  proxy = reverseProxy(portOf(wrangler))
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => [wrangler, proxy].forEach((server) => server.close().closeAllConnections()))

describe('the proxy of an address that others reach', () => {
  it('passes a request and its answer on, with the address of the client', async () => {
    const answer = await fetch(`http://127.0.0.1:${portOf(proxy)}/v1/calculate?a=%2F`, {
      method: 'POST',
      headers: { Authorization: 'Bearer key' },
      body: '{"amount":1}',
    })
    expect([answer.status, answer.headers.get('X-Told')]).toEqual([201, 'yes'])
    expect(await answer.json()).toMatchObject({
      method: 'POST',
      url: '/v1/calculate?a=%2F',
      headers: {
        authorization: 'Bearer key',
        host: `127.0.0.1:${portOf(proxy)}`,
        'cf-connecting-ip': '127.0.0.1',
      },
      body: '{"amount":1}',
    })
  })

  it('passes neither an address that a client invents, nor a header of the simulation', async () => {
    const asked = await ask('GET / HTTP/1.1', [
      'MF-Original-URL: http://localhost/x',
      'CF-Connecting-IP: 1.2.3.4',
      'CF-IPCountry: FR',
      'X-Forwarded-For: 1.2.3.5',
    ])
    expect(asked).toContain('"cf-connecting-ip":"127.0.0.1"')
    expect(asked).not.toMatch(/mf-original|1\.2\.3\.4|ipcountry/)
  })

  it('takes the address that a proxy in front has written last, if it stands behind one', async () => {
    const behind = reverseProxy(portOf(wrangler), true)
    await once(behind.listen(0, '127.0.0.1'), 'listening')
    const answer = await fetch(`http://127.0.0.1:${portOf(behind)}/`, {
      headers: { 'X-Forwarded-For': '6.6.6.6, 9.8.7.6' },
    })
    expect(await answer.json()).toMatchObject({ headers: { 'cf-connecting-ip': '9.8.7.6' } })
    behind.close().closeAllConnections()
  })

  it.each([
    'GET /cdn-cgi/local/explorer/api/d1/database',
    'POST /cdn-cgi/local/explorer/api/d1/database/DB/raw',
    'GET /cdn-cgi/local/scheduled?cron=*/5+*+*+*+*',
    'GET /cdn-cgi/local/platform-proxy',
    'GET /cdn-cgi',
    'GET //cdn-cgi/local/scheduled',
    'GET /v1/../cdn-cgi/local/scheduled',
    'GET /v1/%2e%2E/cdn-cgi/local/scheduled',
    'GET /\\cdn-cgi/local/scheduled',
    'GET http://localhost/cdn-cgi/local/scheduled',
    'GET http://localhost/v1/status',
    'OPTIONS *',
  ])('answers 404 to %s, without asking', async (line) => {
    const answer = await ask(`${line} HTTP/1.1`, [])
    expect(answer).toMatch(/^HTTP\/1\.1 404 /)
    expect(answer).not.toContain('method')
  })

  it.each(['GET', 'DELETE', 'OPTIONS'])('lets the body of a %s be no second request', async (method) => {
    const hidden = 'GET /cdn-cgi/local/scheduled HTTP/1.1\r\nHost: x\r\nCF-Connecting-IP: 6.6.6.6\r\n\r\n'
    const asked: unknown[] = []
    const note = ({ url }: IncomingMessage) => asked.push(url)
    wrangler.on('request', note)
    const answer = await ask(
      `${method} /v1/status HTTP/1.1`,
      ['Transfer-Encoding: chunked'],
      `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
    )
    wrangler.off('request', note)
    expect(asked).toEqual(['/v1/status'])
    expect(answer).toContain(JSON.stringify(hidden))
  })

  it('sends no chunks to a client of HTTP/1.0, which knows none', async () => {
    const answer = await ask('GET / HTTP/1.0', [])
    expect(answer).toMatch(/^HTTP\/1\.1 201 /)
    expect(answer).not.toMatch(/transfer-encoding/i)
  })

  it('lives on when clients reset their connections', async () => {
    for (let times = 0; times < 200; times += 1) {
      const socket = connect(portOf(proxy), '127.0.0.1').on('error', () => {})
      await once(socket, 'connect')
      socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
      socket.resetAndDestroy()
    }
    expect(await ask('GET / HTTP/1.1', [])).toMatch(/^HTTP\/1\.1 201 /)
  })

  it('answers 502 while the Worker is away, and lives on', async () => {
    const gone = createServer()
    await once(gone.listen(0, '127.0.0.1'), 'listening')
    const before = reverseProxy(portOf(gone))
    await new Promise((resolve) => gone.close(resolve))
    await once(before.listen(0, '127.0.0.1'), 'listening')
    for (let times = 0; times < 2; times += 1)
      expect((await fetch(`http://127.0.0.1:${portOf(before)}/`)).status).toBe(502)
    before.close().closeAllConnections()
  })
})

/** Sends lines as they are, and returns the answer. */
async function ask(first: string, headers: readonly string[], body = ''): Promise<string> {
  const socket = connect(portOf(proxy), '127.0.0.1')
  socket.write([first, 'Host: localhost', 'Connection: close', ...headers, '', body].join('\r\n'))
  return text(socket)
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}
