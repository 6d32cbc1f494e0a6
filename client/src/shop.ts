/** What every adapter of a shop needs: exact money, a checkout that survives a failure, and the books. */
export {
  type Checkout,
  type CheckoutAnswer,
  type CheckoutOptions,
  createCheckout,
  type OfflineAnswer,
  type OfflineCalculator,
  type OnFailure,
  TaxUnavailableError,
  type Trouble,
} from './shop/checkout.ts'
export { toMajorUnits, toMinorUnits } from './shop/money.ts'
export { type ProductTypeOrCode, productTypes, UnknownProductError } from './shop/product-types.ts'
export {
  createRecorder,
  type Outbox,
  type OutboxEntry,
  type RecordedRefund,
  type RecordedSale,
  type Recorder,
  type RecorderOptions,
  type Unrecorded,
} from './shop/recorder.ts'
export type { ShopRefund, ShopRefundLine } from './shop/refund-by-line.ts'
export { type StripeTaxAmount, toStripeTaxAmounts } from './shop/stripe.ts'
