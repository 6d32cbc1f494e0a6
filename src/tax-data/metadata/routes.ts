import { feature, route } from '../../platform/http/route.ts'
import { late } from '../../platform/kit/late.ts'
import { listCoverage } from './coverage.ts'
import { listJurisdictions, listRateHistory, showJurisdiction } from './jurisdictions.ts'
import {
  CoverageAnswer,
  CoverageQuery,
  ProductCodesAnswer,
  ProductCodesQuery,
  JurisdictionAnswer,
  JurisdictionsAnswer,
  JurisdictionsQuery,
  RateHistoryAnswer,
  RateHistoryQuery,
  SnapshotAnswer,
  SnapshotLines,
  SnapshotQuery,
  SyncAnswer,
  SyncRequest,
  SyncStatusAnswer,
} from './schemas.ts'
import { exportSnapshot } from './snapshot.ts'
import { requestSync, showSyncStatus } from './sync-status.ts'

/** A start of the other routes need not evaluate the list. */
const productCodes = late(() => import('./product-codes.ts'))

const reading = { tag: 'Metadata', method: 'get', scope: 'tax:read' } as const

const serves = ['/v1/metadata/', '/v1/export/']

export const metadataRoutes = feature(serves, [
  route({
    ...reading,
    // Reports and sales name places by their ids, so each key may read the names.
    scope: null,
    path: '/v1/metadata/jurisdictions',
    operation: 'listJurisdictions',
    client: 'metadata.jurisdictions',
    summary: 'List the jurisdictions',
    query: JurisdictionsQuery,
    answer: JurisdictionsAnswer,
    etag: true,
    handle: (context, { query }) => listJurisdictions(context, query),
  }),
  route({
    ...reading,
    path: '/v1/metadata/jurisdictions/:id',
    operation: 'getJurisdiction',
    client: 'metadata.jurisdiction',
    params: { id: 'The id of the jurisdiction, such as `FR` or `US-CA`, in either case' },
    summary: 'A jurisdiction with its current rates and thresholds',
    errors: ['invalid_jurisdiction'],
    answer: JurisdictionAnswer,
    etag: true,
    handle: (context, { params }) => showJurisdiction(context, params.id),
  }),
  route({
    ...reading,
    path: '/v1/metadata/jurisdictions/:id/rates',
    operation: 'listJurisdictionRates',
    client: 'metadata.rateHistory',
    params: { id: 'The id of the jurisdiction, such as `FR` or `US-CA`, in either case' },
    summary: 'The rates of a jurisdiction of all days, past and announced ones too',
    errors: ['invalid_jurisdiction'],
    query: RateHistoryQuery,
    answer: RateHistoryAnswer,
    etag: true,
    handle: (context, { params, query }) => listRateHistory(context, params.id, query),
  }),
  route({
    ...reading,
    path: '/v1/metadata/coverage',
    operation: 'listProductCoverage',
    client: 'metadata.coverage',
    summary: 'For which products and places a rule is in the data',
    errors: ['invalid_jurisdiction', 'region_required', 'unknown_product_type'],
    query: CoverageQuery,
    answer: CoverageAnswer,
    etag: true,
    handle: (context, { query }) => listCoverage(context, query),
  }),
  route({
    ...reading,
    path: '/v1/metadata/product-codes',
    operation: 'listProductCodes',
    client: 'metadata.productCodes',
    summary: 'The product codes of other services, and what they mean here',
    description:
      '`product_type` of a line takes each of these codes. A code without a type is taxed in full, and ' +
      'a note says so. `unknown_codes` of the account says whether it is refused.',
    query: ProductCodesQuery,
    answer: ProductCodesAnswer,
    etag: true,
    handle: async (_context, { query }) => (await productCodes.load()).listProductCodes(query),
  }),
  route({
    ...reading,
    path: '/v1/metadata/sync-status',
    operation: 'getSyncStatus',
    client: 'metadata.syncStatus',
    summary: 'How each region is kept fresh',
    description:
      '`next_sync` is when the schedule asks next. A region is stale when nothing was verified for ' +
      'longer than its threshold.',
    answer: SyncStatusAnswer,
    etag: true,
    handle: (context) => showSyncStatus(context),
  }),
  route({
    tag: 'Metadata',
    method: 'post',
    path: '/v1/metadata/sync',
    operation: 'syncRegion',
    client: 'metadata.sync',
    writes: 'control',
    scope: 'operator',
    summary: 'Synchronise a region now',
    description:
      "Queues a run of the region's collector; the answer does not wait for it. See " +
      '`/v1/metadata/sync-status`. A region can be requested once in 10 minutes.',
    errors: ['sync_too_soon'],
    body: SyncRequest,
    example: { region: 'AU' },
    answer: SyncAnswer,
    idempotent: true,
    handle: (context, { body }) => requestSync(context, body.region),
  }),
  route({
    ...reading,
    path: '/v1/export/snapshot',
    operation: 'exportSnapshot',
    client: 'metadata.snapshot',
    sends_file: 'large',
    summary: 'All tax data, enough to calculate offline; with ETag, and as NDJSON where that is accepted',
    description:
      'Send `If-None-Match` with the last ETag, and nothing is sent when nothing has changed. ' +
      '`Accept: application/x-ndjson` gives one fact a line.',
    headers: { 'If-None-Match': 'The ETag of the snapshot that you have: 304 if it has not changed' },
    errors: ['invalid_jurisdiction'],
    query: SnapshotQuery,
    answer: { 'application/json': SnapshotAnswer, 'application/x-ndjson': SnapshotLines },
    handle: (context, { headers, query }) => exportSnapshot(context, headers, query.local ?? null),
  }),
])
