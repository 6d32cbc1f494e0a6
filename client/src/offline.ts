import type { TaxClient } from './client.ts'
import type { AccountAnswer, Registration, SnapshotAnswer } from './schema.ts'
import type { OfflineCalculator } from './shop/checkout.ts'

/** What the service calculates with, as plain JSON that a shop stores. */
export type OfflineData = {
  /** The first one without local taxes, then one for each state of the United States. */
  snapshots: SnapshotAnswer[]
  account: AccountAnswer
  registrations: Registration[]
}

export type OfflineOptions = {
  /** How old the data may be: then the calculator refuses. A week if left out. */
  max_age_ms?: number
  /** The time in milliseconds. */
  now?: () => number
}

/** A calculator that takes new data while it serves. */
export type Offline = OfflineCalculator & {
  /**
   * Verifies the checksums and uses the data from now on. Throws a SnapshotError if the data is damaged or
   * does not belong together; the calculator then keeps what it had.
   */
  load: (data: OfflineData) => Promise<void>
}

/** Gets the data from the service. `states`: whose local taxes are needed, such as `US-NY`. */
export type TakeOfflineData = (
  tax: Pick<TaxClient, 'account' | 'metadata' | 'registrations'>,
  states?: readonly string[],
) => Promise<OfflineData>

/** The data is damaged or too old, does not belong together, or lacks the local taxes of a sale. */
export declare const SnapshotError: new (message: string) => Error

/** The package has the code of this file, bundled with the engine: `client/offline/offline.ts`. */
export declare const takeOfflineData: TakeOfflineData

/**
 * Creates a calculator without data: call `load` before the shop sells. It calculates as the service does,
 * and refuses what the data does not contain: customers on file, codes of other services, other versions of
 * the data, the view of an invoice.
 */
export declare const createOffline: (options?: OfflineOptions) => Offline
