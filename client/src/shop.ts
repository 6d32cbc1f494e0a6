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
export { gatherSales, type GatherOptions } from './shop/gather-sales.ts'
export { toMajorUnits, toMinorUnits } from './shop/money.ts'
export {
  isProductType,
  type ProductTypeOrCode,
  productTypes,
  UnknownProductError,
} from './shop/product-types.ts'
export {
  createRecorder,
  outboxIdOfRefund,
  type Outbox,
  type OutboxEntry,
  type Recorder,
  type RecorderOptions,
  type Unrecorded,
} from './shop/recorder.ts'
export { recordOf, type SaleOfAnswer } from './shop/record-of.ts'
export { NumberTakenError, type RecordedRefund, type RecordedSale } from './shop/recorded.ts'
export type { ShopRefund, ShopRefundLine } from './shop/refund-by-line.ts'
export { cutText } from './shop/text.ts'
export { type StripeTaxAmount, toStripeTaxAmounts } from './shop/stripe.ts'
