import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Below the ports that a system gives to those who ask for any port: 32768 and up on Linux, 49152 and up
 * elsewhere. Such a port may be taken by any program before the caller listens on it.
 */
const FIRST = 20_000
const LAST = 32_000

/** A free port of 127.0.0.1. `candidate` names a port to try; by default one at random. */
export async function freePort(candidate: () => number = anyPort): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = candidate()
    if (await isFree(port)) return port
  }
  throw new Error(`100 ports between ${FIRST} and ${LAST} were tried, and none is free`)
}

function anyPort(): number {
  return randomInt(FIRST, LAST)
}

async function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    )
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
