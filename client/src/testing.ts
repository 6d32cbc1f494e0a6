import type { AccountAnswer, SnapshotAnswer } from './schema.ts'

/** A request that reached the fake. `body`: its JSON; null: it had none. */
export type FakeRequest = { method: string; path: string; query: string; body: unknown }

/** A `Response`, or what the service answers as JSON. */
export type FakeAnswer = (request: FakeRequest) => unknown

export type FakeServiceOptions = {
  /** The seller: fields of the account that calculations read, such as `country`. */
  account?: Partial<AccountAnswer>
  /** Where the seller is registered, such as `DE` or `oss_union`. */
  registrations?: readonly string[]
  /** Other answers, by method and path: `{ 'POST /v1/transactions': () => ({ id: 'txn_1' }) }`. */
  answers?: Readonly<Record<string, FakeAnswer>>
  /** Other tax data than that of the package, e.g. with the local taxes of a state. */
  snapshots?: readonly SnapshotAnswer[]
  /** The time in milliseconds, which decides the day of a sale without a date. */
  now?: () => number
}

/** The service in memory, for tests: it calculates as the service does, and opens no connection. */
export type FakeService = {
  /** For `createClient({ baseUrl, apiKey, fetch })`, or in place of the global `fetch`. */
  fetch: (input: Request | URL | string, init?: RequestInit) => Promise<Response>
  /** The key of a sandbox that the fake accepts, and no other. */
  apiKey: string
  /** What was asked, in this order. */
  requests: FakeRequest[]
}

/** The package has the code of this file, bundled with the engine: `client/offline/testing.ts`. */
export declare const createFakeService: (options?: FakeServiceOptions) => FakeService
