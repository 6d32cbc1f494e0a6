import { ApiError } from '../errors.ts'
import { readHeader } from '../kit/header.ts'
import { takeTurns } from '../kit/take-turns.ts'
import { chunksOf, readBytes } from './body.ts'

export type FileBytes = Uint8Array<ArrayBuffer>

/**
 * Returns the bytes of a file that is sent as a body, whatever its Content-Type. Throws body_too_large before
 * more than `most` bytes are in memory.
 */
export async function readFileBody(request: Request, headers: Headers, most: number): Promise<FileBytes> {
  const length = readHeader(headers, 'Content-Length')
  if (length === null) return new Uint8Array(await readBytes(request, most, () => tooLargeFile(most)))
  if (Number(length) > most) throw tooLargeFile(most)
  return readStated(request, Number(length))
}

/** After so many bytes other requests have their turn: the chunks of a body may all be there already. */
const BYTES_OF_TURN = 500_000

/** The bytes of a body whose length is stated. They are in memory once, and not twice more in a Blob. */
async function readStated(request: Request, length: number): Promise<FileBytes> {
  const file = new Uint8Array(length)
  let size = 0
  for await (const chunk of chunksOf(request)) {
    if (size + chunk.byteLength > length) throw tooLargeFile(length)
    file.set(chunk, size)
    size += chunk.byteLength
    if (size % BYTES_OF_TURN < chunk.byteLength) await takeTurns()
  }
  return file.subarray(0, size)
}

function tooLargeFile(most: number): ApiError {
  return new ApiError('body_too_large', { message: `The file is larger than ${most / 1_000_000} MB` })
}
