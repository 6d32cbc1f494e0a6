'use strict'
const { createServer } = require('node:net')

const { TAX_URL: url } = process.env

/**
 * A door before the service. Its mode is `open`, `refuses` (a port on which nothing listens), `hangs` (a
 * server that takes the request and never answers), or `swallows` (the service does it, the answer is lost).
 */
const door = { mode: 'open', calculations: 0, records: [] }
const servers = { hangs: createServer((socket) => socket.on('error', () => {}).resume()) }
const ports = {}

/** Opens the door for the tests. */
async function buildDoor() {
  ports.hangs = await listen(servers.hangs)
  const gone = createServer()
  ports.refuses = await listen(gone)
  await new Promise((resolve) => gone.close(resolve))
  servers.hangs.unref()
}

function listen(server) {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)))
}

const realFetch = globalThis.fetch
globalThis.fetch = async (input, init) => {
  const address = String(input?.url ?? input)
  if (!address.startsWith(url)) return realFetch(input, init)
  if (door.mode in ports) {
    const elsewhere = address.replace(url, `http://127.0.0.1:${ports[door.mode]}`)
    return realFetch(input instanceof Request ? new Request(elsewhere, input) : elsewhere, init)
  }
  if (address.endsWith('/v1/calculate')) door.calculations += 1
  const [, record] = /(\/v1\/transactions(?:\/batch)?)$/.exec(address) ?? []
  if (record !== undefined && input.method === 'POST') door.records.push(record)
  const answer = await realFetch(input, init)
  if (door.mode !== 'swallows') return answer
  await answer.arrayBuffer()
  throw new TypeError('fetch failed')
}

/** Does the work while the service is away in this way. */
async function away(mode, work) {
  door.mode = mode
  try {
    return await work()
  } finally {
    door.mode = 'open'
  }
}

module.exports = { away, buildDoor, door }
