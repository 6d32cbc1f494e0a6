import {
  createServer,
  type IncomingHttpHeaders,
  request,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'

/** What wrangler serves beside the Worker, to anybody who writes `Host: localhost`: cron ticks, bindings. */
const BESIDE_THE_WORKER = /^\/+(cdn-cgi|__cf_local)(\/|$)/

/**
 * Headers by which wrangler's own proxy tells the simulation e.g. another address of a request, and those
 * that Cloudflare alone sets.
 */
const OF_THE_SIMULATION = /^(mf-|cf-(?!access-))/

/** Headers of one connection, which each side of a proxy writes itself (RFC 9110, 7.6.1). */
const OF_ONE_CONNECTION = /^(connection|keep-alive|te|trailer|transfer-encoding|upgrade)$/

function passedOn(headers: IncomingHttpHeaders, dropped: RegExp): IncomingHttpHeaders {
  const kept = Object.entries(headers).filter(
    ([name]) => !dropped.test(name) && !OF_ONE_CONNECTION.test(name),
  )
  return Object.fromEntries(kept)
}

/**
 * Serves a Worker of this machine on another address: everything but what only this machine may ask. That,
 * and what is no request for a path, gets a 404. `port` is the Worker's on 127.0.0.1. `behind_proxy`: the
 * client is the last address of X-Forwarded-For, which a proxy in front has written.
 */
export function reverseProxy(port: number, behind_proxy = false): Server {
  return createServer((incoming, outgoing) => {
    const path = pathOf(incoming)
    if (path === null) outgoing.writeHead(404, { Connection: 'close' }).end()
    else pass(incoming, outgoing, port, path, behind_proxy)
  })
}

/** The address of the client; null: it has reset its connection already. */
function addressOf({ headers, socket }: IncomingMessage, behind_proxy: boolean): string | null {
  const forwarded = behind_proxy && headers['x-forwarded-for']
  return (forwarded && String(forwarded).split(',').at(-1)?.trim()) || socket.remoteAddress || null
}

/** The normal form of the path, so that it is checked as the simulation reads it. Null: it is not served. */
function pathOf({ url = '' }: IncomingMessage): string | null {
  const parsed = url.startsWith('/') ? URL.parse(`http://worker${url}`) : null
  if (parsed === null || BESIDE_THE_WORKER.test(parsed.pathname)) return null
  return parsed.pathname + parsed.search
}

function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  port: number,
  path: string,
  behind_proxy: boolean,
): void {
  const { method, headers } = incoming
  const address = addressOf(incoming, behind_proxy)
  if (address === null) return void outgoing.destroy()
  const asked = request({
    port,
    host: '127.0.0.1',
    method,
    path,
    headers: {
      ...passedOn(headers, OF_THE_SIMULATION),
      // Node would send a body of unknown length after a GET as it is, so as the next request.
      ...('transfer-encoding' in headers && { 'transfer-encoding': 'chunked' }),
      'cf-connecting-ip': address,
    },
  })
  asked.on('response', (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, passedOn(answer.headers, OF_ONE_CONNECTION))
    answer.on('error', () => outgoing.destroy()).pipe(outgoing)
  })
  asked.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()))
  outgoing.on('close', () => asked.destroy())
  incoming.on('error', () => asked.destroy()).pipe(asked)
}
