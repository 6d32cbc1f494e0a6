import { answerOf, type CallOptions, type Http, type QueryOf, sent, type WriteOptions } from '../call.ts'
import { listOf } from '../list.ts'
import type {
  AccountAnswer,
  AccountRequest,
  ApiKeysAnswer,
  AuditEventsAnswer,
  ChangedMessagesAnswer,
  CurrentApiKeyAnswer,
  DeletedAnswer,
  ExampleBooksAdded,
  ExampleBooksRemoved,
  MessagesAnswer,
  MessagesRequest,
  NewApiKeyAnswer,
  NewApiKeyRequest,
  NewPersonRequest,
  OverviewAnswer,
  OwnRatesAnswer,
  OwnRatesOfPlace,
  OwnRatesRequest,
  PeopleAnswer,
  PersonAnswer,
  PersonRequest,
  RegistrationAnswer,
  RegistrationRequest,
  RegistrationsAnswer,
  RotateApiKeyRequest,
  RotatedApiKeyAnswer,
  TestMessagesAnswer,
  UsageAnswer,
} from '../schema.ts'

/** The account and its seller profile. */
export function account(http: Http) {
  return {
    get: (options: CallOptions = {}) => answerOf<AccountAnswer>(http.GET('/v1/account', sent(options))),

    /** Changes the seller profile. Omitted fields stay. */
    update: (change: AccountRequest, options: CallOptions = {}) =>
      answerOf<AccountAnswer>(http.PUT('/v1/account', { body: change, ...sent(options) })),

    /** What needs attention, what is owed, and the tax of the last months, in one request. */
    overview: (query: QueryOf<'getOverview'> = {}, options: CallOptions = {}) =>
      answerOf<OverviewAnswer>(http.GET('/v1/overview', { params: { query }, ...sent(options) })),

    /** Fills an empty account for tests with a year of example books. */
    createExampleBooks: (options: WriteOptions = {}) =>
      answerOf<ExampleBooksAdded>(http.POST('/v1/account/example-books', sent(options))),

    /** Removes the example books. All else stays. */
    deleteExampleBooks: (options: CallOptions = {}) =>
      answerOf<ExampleBooksRemoved>(http.DELETE('/v1/account/example-books', sent(options))),

    /** Who gets the daily message, and what became of the last ones. */
    messages: (options: CallOptions = {}) =>
      answerOf<MessagesAnswer>(http.GET('/v1/account/messages', sent(options))),

    /** Changes who gets the daily message. Omitted fields stay. */
    updateMessages: (change: MessagesRequest, options: CallOptions = {}) =>
      answerOf<ChangedMessagesAnswer>(http.PUT('/v1/account/messages', { body: change, ...sent(options) })),

    /** Sends a test to the chat and the recipients. */
    testMessages: (options: CallOptions = {}) =>
      answerOf<TestMessagesAnswer>(http.POST('/v1/account/messages/test', sent(options))),

    /** The stored rows of the account, and their quotas. */
    usage: (options: CallOptions = {}) => answerOf<UsageAnswer>(http.GET('/v1/account/usage', sent(options))),
  }
}

/** Your own rates for places without rates in the data. A place is the id of a jurisdiction, such as `IL`. */
export function ownRates(http: Http) {
  return {
    list: (query: QueryOf<'listOwnRates'> = {}, options: CallOptions = {}) =>
      listOf(
        (next) =>
          answerOf<OwnRatesAnswer>(
            http.GET('/v1/account/own-rates', { params: { query: { ...query, ...next } }, ...sent(options) }),
          ),
        (answer) => answer.own_rates,
      ),

    get: (id: string, options: CallOptions = {}) =>
      answerOf<OwnRatesOfPlace>(
        http.GET('/v1/account/own-rates/{id}', { params: { path: { id } }, ...sent(options) }),
      ),

    /** Replaces the rates of the place. */
    update: (id: string, rates: OwnRatesRequest, options: WriteOptions = {}) =>
      answerOf<OwnRatesOfPlace>(
        http.PUT('/v1/account/own-rates/{id}', { params: { path: { id } }, body: rates, ...sent(options) }),
      ),

    delete: (id: string, options: CallOptions = {}) =>
      answerOf<DeletedAnswer>(
        http.DELETE('/v1/account/own-rates/{id}', { params: { path: { id } }, ...sent(options) }),
      ),
  }
}

export function apiKeys(http: Http) {
  return {
    /** Creates a key. The answer is the only place that shows it. */
    create: (key: NewApiKeyRequest, options: WriteOptions = {}) =>
      answerOf<NewApiKeyAnswer>(http.POST('/v1/api-keys', { body: key, ...sent(options) })),

    /** The key of the client: its scopes and its account. */
    current: (options: CallOptions = {}) =>
      answerOf<CurrentApiKeyAnswer>(http.GET('/v1/api-keys/current', sent(options))),

    list: (query: QueryOf<'listApiKeys'> = {}, options: CallOptions = {}) =>
      listOf(
        (next) =>
          answerOf<ApiKeysAnswer>(
            http.GET('/v1/api-keys', { params: { query: { ...query, ...next } }, ...sent(options) }),
          ),
        (answer) => answer.api_keys,
      ),

    /** Revokes a key. */
    delete: (id: string, options: CallOptions = {}) =>
      answerOf<DeletedAnswer>(
        http.DELETE('/v1/api-keys/{id}', { params: { path: { id } }, ...sent(options) }),
      ),

    /** Replaces a key by a new one. The old key stays valid for `grace_hours`. */
    rotate: (id: string, change: RotateApiKeyRequest = {}, options: WriteOptions = {}) =>
      answerOf<RotatedApiKeyAnswer>(
        http.POST('/v1/api-keys/{id}/rotate', { params: { path: { id } }, body: change, ...sent(options) }),
      ),
  }
}

/** The people who sign in to the account. */
export function people(http: Http) {
  return {
    /** Gives a person access to the account. */
    create: (person: NewPersonRequest, options: WriteOptions = {}) =>
      answerOf<PersonAnswer>(http.POST('/v1/people', { body: person, ...sent(options) })),

    list: (query: QueryOf<'listPeople'> = {}, options: CallOptions = {}) =>
      listOf(
        (next) =>
          answerOf<PeopleAnswer>(
            http.GET('/v1/people', { params: { query: { ...query, ...next } }, ...sent(options) }),
          ),
        (answer) => answer.people,
      ),

    get: (id: string, options: CallOptions = {}) =>
      answerOf<PersonAnswer>(http.GET('/v1/people/{id}', { params: { path: { id } }, ...sent(options) })),

    /** Changes name or role. Omitted fields stay. */
    update: (id: string, change: PersonRequest, options: CallOptions = {}) =>
      answerOf<PersonAnswer>(
        http.PUT('/v1/people/{id}', { params: { path: { id } }, body: change, ...sent(options) }),
      ),

    /** Ends the access of a person. With `erase`, name and e-mail are erased. */
    delete: (id: string, query: QueryOf<'deletePerson'> = {}, options: CallOptions = {}) =>
      answerOf<DeletedAnswer>(
        http.DELETE('/v1/people/{id}', { params: { path: { id }, query }, ...sent(options) }),
      ),
  }
}

/** The places and schemes in which the seller collects tax. */
export function registrations(http: Http) {
  return {
    create: (registration: RegistrationRequest, options: WriteOptions = {}) =>
      answerOf<RegistrationAnswer>(http.POST('/v1/registrations', { body: registration, ...sent(options) })),

    list: (query: QueryOf<'listRegistrations'> = {}, options: CallOptions = {}) =>
      listOf(
        (next) =>
          answerOf<RegistrationsAnswer>(
            http.GET('/v1/registrations', { params: { query: { ...query, ...next } }, ...sent(options) }),
          ),
        (answer) => answer.registrations,
      ),

    get: (id: string, options: CallOptions = {}) =>
      answerOf<RegistrationAnswer>(
        http.GET('/v1/registrations/{id}', { params: { path: { id } }, ...sent(options) }),
      ),

    /** Changes the registration. Omitted fields stay. */
    update: (id: string, registration: RegistrationRequest, options: CallOptions = {}) =>
      answerOf<RegistrationAnswer>(
        http.PUT('/v1/registrations/{id}', {
          params: { path: { id } },
          body: registration,
          ...sent(options),
        }),
      ),

    delete: (id: string, options: CallOptions = {}) =>
      answerOf<DeletedAnswer>(
        http.DELETE('/v1/registrations/{id}', { params: { path: { id } }, ...sent(options) }),
      ),
  }
}

/** The audit log, newest first. */
export function auditEvents(http: Http) {
  return {
    list: (query: QueryOf<'listAuditEvents'> = {}, options: CallOptions = {}) =>
      listOf(
        (next) =>
          answerOf<AuditEventsAnswer>(
            http.GET('/v1/audit-events', { params: { query: { ...query, ...next } }, ...sent(options) }),
          ),
        (answer) => answer.audit_events,
      ),
  }
}
