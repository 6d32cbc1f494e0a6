/**
 * Logs one JSON line per request: ids, routes and reasons, which need no JSON escapes. It never logs a body,
 * a key, an address or a query.
 */
export function logRequest(
  method: string,
  route: string,
  status: number,
  started: Date,
  request_id: string,
  account_id: string | null,
  reason: string | null,
): void {
  const duration_ms = Date.now() - started.getTime()
  console.log(
    `{"request_id":"${request_id}","method":"${method}","route":"${route}","status":${status},` +
      `"duration_ms":${duration_ms},"account_id":${quoted(account_id)},"reason":${quoted(reason)}}`,
  )
}

function quoted(text: string | null): string {
  return text === null ? 'null' : `"${text}"`
}
