import type { QueueMessage } from '../../src/platform/queue/messages.ts'

/** A queue that delivers nothing and keeps what it was sent. */
export function listening(): { queue: Queue<QueueMessage>; heard: QueueMessage[] } {
  const heard: QueueMessage[] = []
  const sendBatch = async (messages: Iterable<MessageSendRequest<QueueMessage>>) => {
    for (const { body } of messages) heard.push(body)
  }
  return { queue: { sendBatch } as unknown as Queue<QueueMessage>, heard }
}
