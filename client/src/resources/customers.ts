import { answerOf, type CallOptions, type Http, type QueryOf, sent, type WriteOptions } from '../call.ts'
import { listOf } from '../list.ts'
import type {
  AllExemptionsAnswer,
  CustomerAnswer,
  CustomerRequest,
  CustomerValidationAnswer,
  CustomersAnswer,
  DeletedAnswer,
  ExemptionAnswer,
  ExemptionCheckAnswer,
  ExemptionRequest,
  ExemptionsAnswer,
  NewExemptionRequest,
} from '../schema.ts'

/** Customers with their VAT ids and exemption certificates. */
export function customers(http: Http) {
  return {
    create: (customer: CustomerRequest, options: WriteOptions = {}) =>
      answerOf<CustomerAnswer>(http.POST('/v1/customers', { body: customer, ...sent(options) })),

    list: (query: Omit<QueryOf<'getCustomers'>, 'offset'> = {}, options: CallOptions = {}) =>
      listOf(
        (next) =>
          answerOf<CustomersAnswer>(
            http.GET('/v1/customers', { params: { query: { ...query, ...next } }, ...sent(options) }),
          ),
        (answer) => answer.customers,
      ),

    get: (id: string, options: CallOptions = {}) =>
      answerOf<CustomerAnswer>(
        http.GET('/v1/customers/{id}', { params: { path: { id } }, ...sent(options) }),
      ),

    /** The customer with your own number. */
    getByExternalId: (externalId: string, options: CallOptions = {}) =>
      answerOf<CustomerAnswer>(
        http.GET('/v1/customers/external/{externalId}', {
          params: { path: { externalId } },
          ...sent(options),
        }),
      ),

    /** Changes the customer. Omitted fields stay. */
    update: (id: string, customer: CustomerRequest, options: CallOptions = {}) =>
      answerOf<CustomerAnswer>(
        http.PUT('/v1/customers/{id}', { params: { path: { id } }, body: customer, ...sent(options) }),
      ),

    delete: (id: string, options: CallOptions = {}) =>
      answerOf<DeletedAnswer>(
        http.DELETE('/v1/customers/{id}', { params: { path: { id } }, ...sent(options) }),
      ),

    /** Asks the authority about the customer's VAT id, and stores the answer. */
    validateVatId: (customerId: string, options: WriteOptions = {}) =>
      answerOf<CustomerValidationAnswer>(
        http.POST('/v1/vat/validate-customer/{customerId}', {
          params: { path: { customerId } },
          ...sent(options),
        }),
      ),

    exemptions: exemptions(http),
  }
}

function exemptions(http: Http) {
  return {
    create: (customerId: string, certificate: NewExemptionRequest, options: WriteOptions = {}) =>
      answerOf<ExemptionAnswer>(
        http.POST('/v1/customers/{id}/exemptions', {
          params: { path: { id: customerId } },
          body: certificate,
          ...sent(options),
        }),
      ),

    list: (customerId: string, query: QueryOf<'getCustomersIdExemptions'> = {}, options: CallOptions = {}) =>
      listOf(
        (next) =>
          answerOf<ExemptionsAnswer>(
            http.GET('/v1/customers/{id}/exemptions', {
              params: { path: { id: customerId }, query: { ...query, ...next } },
              ...sent(options),
            }),
          ),
        (answer) => answer.exemptions,
      ),

    /** The certificates of all customers, newest first. */
    listAll: (query: QueryOf<'getExemptions'> = {}, options: CallOptions = {}) =>
      listOf(
        (next) =>
          answerOf<AllExemptionsAnswer>(
            http.GET('/v1/exemptions', { params: { query: { ...query, ...next } }, ...sent(options) }),
          ),
        (answer) => answer.exemptions,
      ),

    /** Whether a certificate exempts the customer in a place on a day. */
    check: (customerId: string, query: QueryOf<'getCustomersIdExemptionsCheck'>, options: CallOptions = {}) =>
      answerOf<ExemptionCheckAnswer>(
        http.GET('/v1/customers/{id}/exemptions/check', {
          params: { path: { id: customerId }, query },
          ...sent(options),
        }),
      ),

    update: (customerId: string, exemptionId: string, change: ExemptionRequest, options: CallOptions = {}) =>
      answerOf<ExemptionAnswer>(
        http.PUT('/v1/customers/{id}/exemptions/{exemptionId}', {
          params: { path: { id: customerId, exemptionId } },
          body: change,
          ...sent(options),
        }),
      ),

    delete: (customerId: string, exemptionId: string, options: CallOptions = {}) =>
      answerOf<DeletedAnswer>(
        http.DELETE('/v1/customers/{id}/exemptions/{exemptionId}', {
          params: { path: { id: customerId, exemptionId } },
          ...sent(options),
        }),
      ),
  }
}
