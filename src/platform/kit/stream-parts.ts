import { takeTurns } from './take-turns.ts'

/** A body of parts. Other requests of this isolate have their turn after each of them. */
export function streamParts(parts: Iterator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await takeTurns()
        const { done, value } = parts.next()
        if (done === true) return controller.close()
        controller.enqueue(encoder.encode(value))
      },
    },
    { highWaterMark: 0 },
  )
}
