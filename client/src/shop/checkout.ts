import type { TaxClient } from '../client.ts'
import type { CalculateAnswer, CalculateRequest } from '../schema.ts'
import { requireFunctions } from './options.ts'
import { isUnavailable, tell } from './unavailable.ts'

/**
 * What happens while the service is away. `refuse`: the checkout fails. `last_known`: the last answer to the
 * same question is used, and a question without one fails. `snapshot`: the option `snapshot` calculates from
 * a copy of the tax data, and what it refuses fails.
 */
export type OnFailure = (typeof POLICIES)[number]
const POLICIES = ['refuse', 'last_known', 'snapshot'] as const

/**
 * The service was away, and what the checkout did. `age_ms` is the age of the answer or of the snapshot that
 * was used. `snapshot_error`: why the snapshot gave no answer.
 */
export type Trouble =
  | { outcome: 'refused'; error: unknown; snapshot_error?: unknown }
  | { outcome: 'last_known'; error: unknown; age_ms: number }
  | { outcome: 'snapshot'; error: unknown; age_ms: number; data_version: string }

/** A calculation from a snapshot. `age_ms` is the age of the snapshot. */
export type OfflineAnswer = { answer: CalculateAnswer; age_ms: number; data_version: string }

/** Calculates without the service: `createOffline` of `tax-compliance/offline` makes one. */
export type OfflineCalculator = {
  /** Throws if the snapshot cannot answer. */
  calculate: (sale: CalculateRequest) => OfflineAnswer
}

export type CheckoutOptions = {
  tax: Pick<TaxClient, 'calculate'>
  on_failure: OnFailure
  /** Required by the policy `snapshot`. */
  snapshot?: OfflineCalculator
  /** Tells the merchant. It is not waited for, and its faults are ignored. */
  onTrouble: (trouble: Trouble) => unknown
  /** The time limit of a calculation with all its attempts, in milliseconds. */
  time_limit_ms?: number
  /** How long an answer is given again without a call. Platforms ask the same several times a step. */
  memo_ms?: number
  /** How old a last known answer may be. */
  last_known_ms?: number
  /** The time in milliseconds. */
  now?: () => number
}

/**
 * An answer, and where it is from. `age_ms` is 0 if the service has just given it, and the age of the tax
 * data if it is from a snapshot.
 */
export type CheckoutAnswer = {
  answer: CalculateAnswer
  source: 'service' | 'memo' | 'last_known' | 'snapshot'
  age_ms: number
}

export type Checkout = {
  /**
   * Calculates a sale, in minor units. Throws a TaxUnavailableError if the service is away and the policy has
   * no answer, and the ApiError of a refusal, which no policy hides. It never makes up an amount.
   */
  calculate: (sale: CalculateRequest) => Promise<CheckoutAnswer>
}

/**
 * The tax is not known, because the service is away. `cause` is why: platforms show the message to shoppers,
 * who must not read the address of the service in it.
 */
export class TaxUnavailableError extends Error {
  override readonly name = 'TaxUnavailableError'

  constructor(cause: unknown) {
    super('The tax of this sale is unknown, because the tax service is away', { cause })
  }
}

type Known = { answer: CalculateAnswer; at: number }

/** The memory of one process: the oldest answers go first. */
const KNOWN_MAX = 1_000

/**
 * Calculates for a checkout by the merchant's failure policy. Equal questions share one call, also if asked
 * at once. The memory is that of the process. Use one checkout for each account of the service. Throws a
 * TypeError for an option that is missing or no policy, and for the policy `snapshot` without a snapshot.
 */
export function createCheckout(options: CheckoutOptions): Checkout {
  requireFunctions('createCheckout', options, ['tax.calculate', 'onTrouble'])
  const { time_limit_ms = 5_000, memo_ms = 10_000, last_known_ms = 3_600_000, now = Date.now } = options
  if (!POLICIES.includes(options.on_failure))
    throw new TypeError(`createCheckout: on_failure must be one of ${POLICIES.join(', ')}`)
  if (options.on_failure === 'snapshot' && options.snapshot === undefined)
    throw new TypeError(
      'snapshot is missing: the policy snapshot needs createOffline of tax-compliance/offline',
    )
  const known = new Map<string, Known>()
  const running = new Map<string, Promise<CalculateAnswer>>()

  async function ask(question: string, sale: CalculateRequest): Promise<CalculateAnswer> {
    const at = now()
    const answer = await withinLimit(options.tax, sale, time_limit_ms)
    known.delete(question)
    known.set(question, { answer, at })
    for (const oldest of known.keys()) {
      if (known.size <= KNOWN_MAX) break
      known.delete(oldest)
    }
    return answer
  }

  function shared(question: string, sale: CalculateRequest): Promise<CalculateAnswer> {
    const call = running.get(question) ?? ask(question, sale).finally(() => running.delete(question))
    running.set(question, call)
    return call
  }

  return {
    calculate: async (sale) => {
      const question = questionOf(sale)
      const before = known.get(question)
      const age_ms = before === undefined ? Infinity : now() - before.at
      if (before !== undefined && age_ms < memo_ms) return copyOf(before.answer, 'memo', age_ms)
      try {
        return copyOf(await shared(question, sale), 'service', 0)
      } catch (error) {
        if (!(error instanceof TaxUnavailableError || isUnavailable(error))) throw error
        if (options.on_failure === 'last_known' && before !== undefined && age_ms <= last_known_ms) {
          tell(options.onTrouble, { outcome: 'last_known', error, age_ms })
          return copyOf(before.answer, 'last_known', age_ms)
        }
        if (options.on_failure === 'snapshot') return fromSnapshot(options, sale, error)
        tell(options.onTrouble, { outcome: 'refused', error })
        throw error instanceof TaxUnavailableError ? error : new TaxUnavailableError(error)
      }
    },
  }
}

/** The answer of the snapshot. The merchant is told of it, and of a refusal. */
function fromSnapshot(
  { snapshot, onTrouble }: CheckoutOptions,
  sale: CalculateRequest,
  error: unknown,
): CheckoutAnswer {
  try {
    if (snapshot === undefined) throw new TypeError('snapshot is missing')
    const { answer, age_ms, data_version } = snapshot.calculate(sale)
    tell(onTrouble, { outcome: 'snapshot', error, age_ms, data_version })
    return { answer, source: 'snapshot', age_ms }
  } catch (snapshot_error) {
    tell(onTrouble, { outcome: 'refused', error, snapshot_error })
    throw new TaxUnavailableError(snapshot_error)
  }
}

/** The client repeats a failed request, so the limit of one attempt is not the limit of the checkout. */
async function withinLimit(
  tax: CheckoutOptions['tax'],
  sale: CalculateRequest,
  time_limit_ms: number,
): Promise<CalculateAnswer> {
  const signal = AbortSignal.timeout(time_limit_ms)
  try {
    return await tax.calculate(sale, { signal })
  } catch (error) {
    if (signal.aborted) throw new TaxUnavailableError(error)
    throw error
  }
}

/** A caller may change its answer, and the next caller must not see that. */
function copyOf(answer: CalculateAnswer, source: CheckoutAnswer['source'], age_ms: number): CheckoutAnswer {
  return { answer: structuredClone(answer), source, age_ms }
}

/** The same text for the same question, whatever the order of its fields. */
function questionOf(sale: CalculateRequest): string {
  return JSON.stringify(sale, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}
