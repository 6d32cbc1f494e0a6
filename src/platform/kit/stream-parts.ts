import { logFault } from './log-fault.ts'
import { takeTurns } from './take-turns.ts'

/** A body of parts. Other requests of this isolate have their turn after each of them. */
export function streamParts(parts: Iterator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await takeTurns()
        try {
          const { done, value } = parts.next()
          if (done === true) return controller.close()
          controller.enqueue(encoder.encode(value))
        } catch (thrown) {
          // The answer has begun, so no error of ours can tell that the file ends too early.
          logFault({ step: 'send a file' }, thrown)
          throw thrown
        }
      },
    },
    { highWaterMark: 0 },
  )
}
