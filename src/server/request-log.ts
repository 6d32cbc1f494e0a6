/**
 * One JSON line a request. Never a body, a key, an address or a query: ids, routes and reasons, of which none
 * holds what JSON would escape.
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
    `{"request_id":"${request_id}","method":"${method}","route":"${route}","status":${status},"duration_ms":${duration_ms},"account_id":${quoted(account_id)},"reason":${quoted(reason)}}`,
  )
}

function quoted(text: string | null): string {
  return text === null ? 'null' : `"${text}"`
}
