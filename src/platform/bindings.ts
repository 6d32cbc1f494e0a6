import type { BooksDb, ControlDb } from './database/databases.ts'
import type { QueueMessage } from './queue/messages.ts'

/** Bindings and variables of the worker, as named in wrangler.toml. */
export type Bindings = {
  /** The control database, which is also shard 0 of the books. */
  DB: ControlDb
  /** Further shards of the books: BOOKS_1, BOOKS_2 and so on. `npm run shards -- add` makes them. */
  [shard: `BOOKS_${number}`]: BooksDb | undefined
  KV: KVNamespace
  /** Files of certificates. Without it, they are in the books. */
  CERTIFICATES?: R2Bucket
  /** Backups, and the list of what was erased. Without it, there are no backups, and the list is in KV. */
  BACKUPS?: R2Bucket
  /** Old sales, sealed. Without it, all sales stay in the books. */
  CHESTS?: R2Bucket
  /** After how many days a sale is sealed: 400 or more. */
  SEAL_AFTER_DAYS?: string
  /** How many days a backup is kept, but for the last two. */
  BACKUPS_KEPT_DAYS?: string
  WEBHOOK_EVENTS: Queue<QueueMessage>
  WEBHOOK_DELIVERIES: Queue<QueueMessage>
  /** Runs of collectors. */
  WORK: Queue<QueueMessage>
  /** Questions of accounts to VAT authorities. A slow authority must not delay the collectors. */
  VALIDATIONS: Queue<QueueMessage>
  DEAD_LETTERS: Queue<QueueMessage>
  RATE_LIMIT_FREE: RateLimit
  RATE_LIMIT_PRO: RateLimit
  RATE_LIMIT_ENTERPRISE: RateLimit
  RATE_LIMIT_ADDRESS: RateLimit
  /** What the console reads, by account. */
  RATE_LIMIT_CONSOLE: RateLimit
  /** Questions of an account to the authorities that confirm VAT ids. */
  QUESTION_LIMIT_FREE: RateLimit
  QUESTION_LIMIT_PRO: RateLimit
  QUESTION_LIMIT_ENTERPRISE: RateLimit
  /** Deliveries of webhooks to one host, from all accounts of a tier. */
  HOST_LIMIT_FREE: RateLimit
  HOST_LIMIT_PRO: RateLimit
  HOST_LIMIT_ENTERPRISE: RateLimit
  /**
   * Cloudflare Access in front of the console: `https://TEAM.cloudflareaccess.com`, and the tag of its
   * application (AUD), several with commas. Without them, nobody signs in, and keys are all there is.
   */
  ACCESS_ISSUER?: string
  ACCESS_AUDIENCE?: string
  /**
   * An OpenID Connect provider, where people sign in instead: its issuer, and this service as a client there.
   * The secret is one of the Worker; without it, the client is public. They count only without ACCESS_ISSUER.
   */
  OIDC_ISSUER?: string
  OIDC_CLIENT_ID?: string
  OIDC_CLIENT_SECRET?: string
  /** Shown by GET /health: `production`, `staging`, `development`, `test`. */
  ENVIRONMENT?: string
  /**
   * `on`: new sales keep all their words, so that releases before 2026-11-30 read them whole. For the days in
   * which the service may be rolled back to one.
   */
  WORDS_WITH_SALES?: string
  /** `on`: old audit events stay in their table, where releases before 2026-12-01 find them. */
  AUDIT_EVENTS_IN_ROWS?: string
  /** The secret that encrypts the secrets of webhooks. */
  ENCRYPTION_KEY?: string
  /** The secret that replaces ENCRYPTION_KEY. It is set only while `npm run encryption-key` runs. */
  ENCRYPTION_KEY_NEXT?: string
  /**
   * `on`: the data of accounts is being restored. Only calculations and public pages are answered, and
   * neither jobs nor messages are handled. `npm run maintenance` sets it.
   */
  MAINTENANCE?: string
  /** `true` lets webhooks point anywhere. Has no effect in production and staging. */
  ALLOW_LOCAL_WEBHOOKS?: string
  /** `off`: the hosts of new webhooks are not asked whether they want the events. */
  WEBHOOK_CHALLENGES?: string
  /** Seconds before each retry of a delivery: five numbers with commas between them. For drills. */
  WEBHOOK_RETRY_DELAYS?: string
  /** Is told what an operator has to look at, e.g. an incoming webhook of a chat. */
  ALARM_URL?: string
  /** A feed of the releases of this software (Atom or JSON Feed). Without it, nobody is asked. */
  RELEASES_URL?: string
  /** Sends mail to people. Without it, messages only go to chats. */
  MAIL?: SendEmail
  /** The sender of mails, an address of a domain that is set up for them. */
  MAIL_FROM?: string
  /**
   * The addresses of this service, which links begin with: for customers, calendars and mail programs
   * (https://tax.example.com), and for people who sign in (https://books.example.com).
   */
  PUBLIC_URL?: string
  CONSOLE_URL?: string
  /** Where readers report what is wrong: a form (https:), or a mail address (mailto:). */
  REPORTS_URL?: string
  /** Whom `/.well-known/security.txt` names: `mailto:` or `https:`. Left out: the project. */
  SECURITY_CONTACT?: string
  /** A resolver for DNS over HTTPS in JSON. Replaces the default one. */
  DNS_RESOLVER_URL?: string
  /** Addresses of the authorities that check VAT ids. They replace the official ones. */
  VIES_REST_URL?: string
  VIES_SOAP_URL?: string
  HMRC_URL?: string
  /** Credentials of an application that is registered at HMRC. */
  HMRC_CLIENT_ID?: string
  HMRC_CLIENT_SECRET?: string
  /**
   * `on`: the worker reads boundary files of local taxes. They need more CPU time than the
   * free plan has; `npm run deploy -- --local-boundaries` sets it with `limits.cpu_ms`.
   */
  LOCAL_BOUNDARIES?: string
  /**
   * How many operations of databases, KV and queues a tick may make in an invocation. `50` fits into the free
   * plan. What a tick does not reach waits for the next one.
   */
  OPERATIONS_OF_TICK?: string
  /** `off` switches the rate limiter off. Only for benchmarks. */
  RATE_LIMITS?: string
}
