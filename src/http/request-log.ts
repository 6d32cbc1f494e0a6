/** One JSON line a request. Never a body, a key, an address or a query. */
export function logRequest(
  method: string,
  route: string,
  status: number,
  started: Date,
  request_id: string,
  account_id: string | null,
  reason: string | null,
): void {
  console.log(JSON.stringify({ request_id, method, route, status, duration_ms: Date.now() - started.getTime(), account_id, reason }))
}
