import { answerOf, type CallOptions, type Http, type QueryOf, sent, type WriteOptions } from '../call.ts'
import { listOf } from '../list.ts'
import type {
  AllExemptionsAnswer,
  CertificateRequestAnswer,
  CertificateRequestBody,
  CustomerAnswer,
  CustomerRequest,
  CustomerValidationAnswer,
  CustomersAnswer,
  DeletedAnswer,
  ExemptionAnswer,
  ExemptionCheckAnswer,
  ExemptionRequest,
  ExemptionsAnswer,
  NewCertificateRequestAnswer,
  NewExemptionRequest,
} from '../schema.ts'

/** Customers with their VAT ids and exemption certificates. */
export function customers(http: Http) {
  return {
    create: (customer: CustomerRequest, options: WriteOptions = {}) =>
      answerOf<CustomerAnswer>(http.POST('/v1/customers', { body: customer, ...sent(options) })),

    list: (query: Omit<QueryOf<'listCustomers'>, 'offset'> = {}, options: CallOptions = {}) =>
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
        http.GET('/v1/customers/external/{external_id}', {
          params: { path: { external_id: externalId } },
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
        http.POST('/v1/vat/validate-customer/{customer_id}', {
          params: { path: { customer_id: customerId } },
          ...sent(options),
        }),
      ),

    exemptions: exemptions(http),
    certificateRequest: certificateRequest(http),
  }
}

/** The link by which a customer hands in a certificate. */
function certificateRequest(http: Http) {
  return {
    /** Makes the link: `url` is shown once. An open one stops at once. */
    create: (customerId: string, request: CertificateRequestBody = {}, options: WriteOptions = {}) =>
      answerOf<NewCertificateRequestAnswer>(
        http.POST('/v1/customers/{id}/certificate-request', {
          params: { path: { id: customerId } },
          body: request,
          ...sent(options),
        }),
      ),

    get: (customerId: string, options: CallOptions = {}) =>
      answerOf<CertificateRequestAnswer>(
        http.GET('/v1/customers/{id}/certificate-request', {
          params: { path: { id: customerId } },
          ...sent(options),
        }),
      ),

    revoke: (customerId: string, options: CallOptions = {}) =>
      answerOf<DeletedAnswer>(
        http.DELETE('/v1/customers/{id}/certificate-request', {
          params: { path: { id: customerId } },
          ...sent(options),
        }),
      ),
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

    list: (customerId: string, query: QueryOf<'listCustomerExemptions'> = {}, options: CallOptions = {}) =>
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
    listAll: (query: QueryOf<'listExemptions'> = {}, options: CallOptions = {}) =>
      listOf(
        (next) =>
          answerOf<AllExemptionsAnswer>(
            http.GET('/v1/exemptions', { params: { query: { ...query, ...next } }, ...sent(options) }),
          ),
        (answer) => answer.exemptions,
      ),

    /** Whether a certificate exempts the customer in a place on a day. */
    check: (customerId: string, query: QueryOf<'checkExemption'>, options: CallOptions = {}) =>
      answerOf<ExemptionCheckAnswer>(
        http.GET('/v1/customers/{id}/exemptions/check', {
          params: { path: { id: customerId }, query },
          ...sent(options),
        }),
      ),

    update: (customerId: string, exemptionId: string, change: ExemptionRequest, options: CallOptions = {}) =>
      answerOf<ExemptionAnswer>(
        http.PUT('/v1/customers/{id}/exemptions/{exemption_id}', {
          params: { path: { id: customerId, exemption_id: exemptionId } },
          body: change,
          ...sent(options),
        }),
      ),

    delete: (customerId: string, exemptionId: string, options: CallOptions = {}) =>
      answerOf<DeletedAnswer>(
        http.DELETE('/v1/customers/{id}/exemptions/{exemption_id}', {
          params: { path: { id: customerId, exemption_id: exemptionId } },
          ...sent(options),
        }),
      ),

    ...documents(http),
  }
}

/** The files of certificates. */
function documents(http: Http) {
  return {
    /** Stores the file of a certificate, a PDF, PNG or JPEG of at most 5 MB, or replaces it. */
    uploadDocument: (exemptionId: string, file: Blob, { headers, ...options }: CallOptions = {}) =>
      answerOf<ExemptionAnswer>(
        http.PUT('/v1/exemptions/{id}/document', {
          params: { path: { id: exemptionId } },
          body: file,
          bodySerializer: (body) => body,
          ...sent({ ...options, headers: { 'Content-Type': file.type || ANY_TYPE, ...headers } }),
        }),
      ),

    /** The file of a certificate, with its type. Throws an ApiError if there is none. */
    document: (exemptionId: string, options: CallOptions = {}) =>
      answerOf<Blob>(
        http.GET('/v1/exemptions/{id}/document', {
          params: { path: { id: exemptionId } },
          parseAs: 'blob',
          ...sent(options),
        }),
      ),

    deleteDocument: (exemptionId: string, options: CallOptions = {}) =>
      answerOf<ExemptionAnswer>(
        http.DELETE('/v1/exemptions/{id}/document', {
          params: { path: { id: exemptionId } },
          ...sent(options),
        }),
      ),
  }
}

const ANY_TYPE = 'application/octet-stream'
