import type { Document, Operation } from './types.ts'

/** A sentence for each operation and each event whose example is missing, with what to do. */
export function missingExamples({ paths, webhooks }: Pick<Document, 'paths' | 'webhooks'>): string[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      answersWithoutExample(operation) ? [`${method.toUpperCase()} ${path}`] : [],
    ),
  )
  const events = Object.entries(webhooks).flatMap(([type, { post }]) => {
    const body = post.requestBody?.content['application/json']
    return body !== undefined && body.example === undefined ? [`The event ${type}`] : []
  })
  return [...operations, ...events].map(
    (named) => `${named} has no example: let test/openapi/examples.test.ts tell it, then run ${COMMAND}`,
  )
}

const COMMAND = 'npm run openapi:examples'

function answersWithoutExample({ responses }: Operation): boolean {
  return Object.entries(responses).some(([status, response]) => {
    if (!status.startsWith('2') || !('content' in response)) return false
    const bodies = Object.values(response.content ?? {})
    return bodies.length > 0 && bodies.every(({ example }) => example === undefined)
  })
}
