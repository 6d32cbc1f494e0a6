import {
  answerOf,
  type CallOptions,
  fileOf,
  type Http,
  type QueryOf,
  sent,
  type WriteOptions,
} from '../call.ts'
import { listOf } from '../list.ts'
import type {
  CountriesAnswer,
  CoverageAnswer,
  JurisdictionAnswer,
  JurisdictionsAnswer,
  ProductCodesAnswer,
  ProductTypesAnswer,
  RateHistoryAnswer,
  RegionsAnswer,
  ReviewDecided,
  ReviewDecision,
  ReviewsAnswer,
  SnapshotAnswer,
  SyncAnswer,
  SyncRequest,
  SyncStatusAnswer,
  ValidateAddressAnswer,
  ValidateAddressRequest,
  ValidateVatIdAnswer,
  ValidateVatIdRequest,
  VatCheckAnswer,
  VatCheckRequest,
  VatCheckResults,
  VatCountriesAnswer,
  VatFormatAnswer,
} from '../schema.ts'

/** The product codes of other services, and what they mean here. */
function productCodes(http: Http) {
  return (query: QueryOf<'listProductCodes'> = {}, options: CallOptions = {}) =>
    listOf(
      (next) =>
        answerOf<ProductCodesAnswer>(
          http.GET('/v1/metadata/product-codes', {
            params: { query: { ...query, ...next } },
            ...sent(options),
          }),
        ),
      (answer) => answer.product_codes,
    )
}

/** The tax data itself: places, coverage, freshness, reviews. */
export function metadata(http: Http) {
  return {
    productTypes: (options: CallOptions = {}) =>
      answerOf<ProductTypesAnswer>(http.GET('/v1/metadata/product-types', sent(options))),

    jurisdictions: (query: QueryOf<'listJurisdictions'> = {}, options: CallOptions = {}) =>
      listOf(
        (next) =>
          answerOf<JurisdictionsAnswer>(
            http.GET('/v1/metadata/jurisdictions', {
              params: { query: { ...query, ...next } },
              ...sent(options),
            }),
          ),
        (answer) => answer.jurisdictions,
      ),

    jurisdiction: (id: string, options: CallOptions = {}) =>
      answerOf<JurisdictionAnswer>(
        http.GET('/v1/metadata/jurisdictions/{id}', { params: { path: { id } }, ...sent(options) }),
      ),

    /** The rates of a jurisdiction on all days, with those that have ended. */
    rateHistory: (id: string, query: QueryOf<'listJurisdictionRates'> = {}, options: CallOptions = {}) =>
      listOf(
        (next) =>
          answerOf<RateHistoryAnswer>(
            http.GET('/v1/metadata/jurisdictions/{id}/rates', {
              params: { path: { id }, query: { ...query, ...next } },
              ...sent(options),
            }),
          ),
        (answer) => answer.rates,
      ),

    coverage: (query: QueryOf<'listProductCoverage'> = {}, options: CallOptions = {}) =>
      listOf(
        (next) =>
          answerOf<CoverageAnswer>(
            http.GET('/v1/metadata/coverage', { params: { query: { ...query, ...next } }, ...sent(options) }),
          ),
        (answer) => answer.coverage,
      ),

    productCodes: productCodes(http),

    /** When each region was read from its sources. */
    syncStatus: (options: CallOptions = {}) =>
      answerOf<SyncStatusAnswer>(http.GET('/v1/metadata/sync-status', sent(options))),

    /** Asks for a run of the collectors. */
    sync: (request: SyncRequest, options: WriteOptions = {}) =>
      answerOf<SyncAnswer>(http.POST('/v1/metadata/sync', { body: request, ...sent(options) })),

    /** All tax data, enough to calculate offline. */
    snapshot: (query: QueryOf<'exportSnapshot'> = {}, options: CallOptions = {}) =>
      answerOf<SnapshotAnswer>(http.GET('/v1/export/snapshot', { params: { query }, ...sent(options) })),

    /** Readings of the collectors that wait for a person. */
    reviews: (query: QueryOf<'listReviews'> = {}, options: CallOptions = {}) =>
      listOf(
        (next) =>
          answerOf<ReviewsAnswer>(
            http.GET('/v1/metadata/reviews', { params: { query: { ...query, ...next } }, ...sent(options) }),
          ),
        (answer) => answer.reviews,
      ),

    decideReview: (id: string, decision: ReviewDecision, options: WriteOptions = {}) =>
      answerOf<ReviewDecided>(
        http.POST('/v1/metadata/reviews/{id}', {
          params: { path: { id } },
          body: decision,
          ...sent(options),
        }),
      ),
  }
}

/** VAT ids. */
export function vat(http: Http) {
  return {
    /** Asks the authority whether a VAT id is valid. */
    validate: (request: ValidateVatIdRequest, options: CallOptions = {}) =>
      answerOf<ValidateVatIdAnswer>(http.POST('/v1/vat/validate', { body: request, ...sent(options) })),

    /** Checks only the form and the check digits. */
    checkFormat: (query: QueryOf<'checkVatIdFormat'>, options: CallOptions = {}) =>
      answerOf<VatFormatAnswer>(http.GET('/v1/vat/format-check', { params: { query }, ...sent(options) })),

    /** Begins a check of up to 1,000 VAT ids. */
    createCheck: (request: VatCheckRequest, options: WriteOptions = {}) =>
      answerOf<VatCheckAnswer>(http.POST('/v1/vat/checks', { body: request, ...sent(options) })),

    /** How far a check is. */
    getCheck: (id: string, options: CallOptions = {}) =>
      answerOf<VatCheckAnswer>(
        http.GET('/v1/vat/checks/{id}', { params: { path: { id } }, ...sent(options) }),
      ),

    /** What the authorities said about the ids of a check. */
    checkResults: (id: string, query: QueryOf<'listVatCheckResults'> = {}, options: CallOptions = {}) =>
      listOf(
        (next) =>
          answerOf<VatCheckResults>(
            http.GET('/v1/vat/checks/{id}/results', {
              params: { path: { id }, query: { ...query, ...next } },
              ...sent(options),
            }),
          ),
        (answer) => answer.results,
      ),

    /** A check as CSV: who asked, when, and what was said. */
    checkReport: (id: string, options: CallOptions = {}) =>
      fileOf(
        http.GET('/v1/vat/checks/{id}/report', {
          params: { path: { id } },
          parseAs: 'arrayBuffer',
          ...sent(options),
        }),
      ),

    countries: (options: CallOptions = {}) =>
      answerOf<VatCountriesAnswer>(http.GET('/v1/vat/countries', sent(options))),
  }
}

export function addresses(http: Http) {
  return {
    validate: (address: ValidateAddressRequest, options: CallOptions = {}) =>
      answerOf<ValidateAddressAnswer>(
        http.POST('/v1/addresses/validate', { body: address, ...sent(options) }),
      ),

    countries: (options: CallOptions = {}) =>
      answerOf<CountriesAnswer>(http.GET('/v1/addresses/countries', sent(options))),

    regions: (country: string, options: CallOptions = {}) =>
      answerOf<RegionsAnswer>(
        http.GET('/v1/addresses/regions/{country}', { params: { path: { country } }, ...sent(options) }),
      ),
  }
}
