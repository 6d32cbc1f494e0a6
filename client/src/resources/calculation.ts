import { answerOf, type CallOptions, type Http, type QueryOf, sent } from '../call.ts'
import type {
  CalculateAnswer,
  CalculateBatchAnswer,
  CalculateBatchRequest,
  CalculateRequest,
  DecisionAnswer,
  DecisionRequest,
  NexusAnswer,
  RatesAnswer,
  ThresholdsAnswer,
} from '../schema.ts'

/** The methods that a checkout calls. They record nothing. */
export function calculation(http: Http) {
  return {
    /** Calculates the tax of one sale. Amounts are in minor units of the currency. */
    calculate: (sale: CalculateRequest, options: CallOptions = {}) =>
      answerOf<CalculateAnswer>(http.POST('/v1/calculate', { body: sale, ...sent(options) })),

    /** Calculates up to 100 sales. Each succeeds or fails alone. */
    calculateBatch: (batch: CalculateBatchRequest, options: CallOptions = {}) =>
      answerOf<CalculateBatchAnswer>(http.POST('/v1/calculate/batch', { body: batch, ...sent(options) })),

    /** Decides whether tax has to be collected in a place. */
    decide: (question: DecisionRequest, options: CallOptions = {}) =>
      answerOf<DecisionAnswer>(http.POST('/v1/decision/collect', { body: question, ...sent(options) })),

    /** The tax rates of a jurisdiction or region. */
    rates: (query: QueryOf<'getRates'>, options: CallOptions = {}) =>
      answerOf<RatesAnswer>(http.GET('/v1/rates', { params: { query }, ...sent(options) })),

    /** The registration thresholds. */
    thresholds: (query: QueryOf<'listThresholds'> = {}, options: CallOptions = {}) =>
      answerOf<ThresholdsAnswer>(http.GET('/v1/thresholds', { params: { query }, ...sent(options) })),

    /** How close the recorded sales are to each threshold. */
    nexus: (options: CallOptions = {}) => answerOf<NexusAnswer>(http.GET('/v1/nexus', sent(options))),
  }
}
