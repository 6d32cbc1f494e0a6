declare module 'autocannon' {
  type Options = {
    url: string
    method?: 'GET' | 'POST'
    requests?: readonly { method: 'GET' | 'POST'; path: string; body?: string }[]
    headers: Record<string, string>
    body?: string
    connections: number
    /** Seconds; `amount` requests in place of them. */
    duration?: number
    amount?: number
    /** Seconds to wait for an answer. */
    timeout: number
  }
  export type Result = { '2xx': number; non2xx: number; errors: number; timeouts: number; duration: number }
  type Instance = Promise<Result> & {
    on(
      event: 'response',
      listener: (client: unknown, status: number, bytes: number, ms: number) => void,
    ): void
  }
  export default function autocannon(options: Options): Instance
}
