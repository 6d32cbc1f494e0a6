/** Adds bytes and gives their SHA-256. */
type Hasher = { update: (chunk: Uint8Array) => Promise<void> | void; hex: () => Promise<string> }

/** The chunks of a document, with its size and its SHA-256 after the last one. */
export class Digested {
  bytes = 0
  readonly #chunks: AsyncIterable<Uint8Array>
  readonly #hasher: Hasher

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks
    this.#hasher = 'DigestStream' in crypto ? workerdHasher() : nodeHasher()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.#chunks) {
      this.bytes += chunk.byteLength
      await this.#hasher.update(chunk)
      yield chunk
    }
  }

  hash(): Promise<string> {
    return this.#hasher.hex()
  }
}

function workerdHasher(): Hasher {
  const stream = new crypto.DigestStream('SHA-256')
  const writer = stream.getWriter()
  return {
    update: (chunk) => writer.write(new Uint8Array(chunk)),
    hex: async () => {
      await writer.close()
      return hexOf(new Uint8Array(await stream.digest))
    },
  }
}

/** The command line runs in Node, whose Web Crypto cannot digest a stream. */
function nodeHasher(): Hasher {
  const { process } = globalThis as unknown as {
    process: { getBuiltinModule: (name: string) => typeof import('node:crypto') }
  }
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256')
  return {
    update: (chunk) => void hash.update(chunk),
    hex: async () => hash.digest('hex'),
  }
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
