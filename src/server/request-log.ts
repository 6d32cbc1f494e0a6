/** `route` is the path with `:name` for its parameters. */
type LoggedRequest = {
  request_id: string
  method: string
  route: string
  status: number
  started: Date
  account_id: string | null
  reason: string | null
}

/**
 * Logs one JSON line per request: ids, routes and reasons, which need no JSON escapes. It never logs a body,
 * a key, an address or a query.
 */
export function logRequest({
  request_id,
  method,
  route,
  status,
  started,
  account_id,
  reason,
}: LoggedRequest): void {
  const duration_ms = Date.now() - started.getTime()
  console.log(
    `{"request_id":"${request_id}","method":"${method}","route":"${route}","status":${status},` +
      `"duration_ms":${duration_ms},"account_id":${quoted(account_id)},"reason":${quoted(reason)}}`,
  )
}

function quoted(text: string | null): string {
  return text === null ? 'null' : `"${text}"`
}
