/** The most that is read: many times the largest file that the service takes. */
const UNREAD_MAX = 32_000_000

/**
 * Reads what an answer left of a body, and keeps none of it. Only the server of `wrangler dev` needs this: it
 * loses the answer, or the next request, if a Worker built without its bundler leaves a body unread
 * (cloudflare/workers-sdk#15203). In production nobody without a key may let the service read megabytes.
 */
export async function readUnread({ body }: Request): Promise<void> {
  // Somebody reads it still, as `readAhead` does.
  if (body === null || body.locked) return
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > UNREAD_MAX) return
  }
}
