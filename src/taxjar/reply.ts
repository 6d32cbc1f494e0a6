/**
 * The answer of a route in the form of TaxJar. Strict clients accept exactly one key at its top, so all else
 * is in headers.
 */
export type TaxJarReply<Body extends object = object> = {
  body: Body
  headers?: Readonly<Record<string, string>>
  /** For our log line. */
  note?: string | null
}
