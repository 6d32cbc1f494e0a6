/** The tag of the application (AUD) that a local issuer names. */
export const LOCAL_AUDIENCE = 'local'

/** Where `npm run access` stands in front of the service on a port of this machine. */
export function localIssuer(service_port: number): string {
  return `http://127.0.0.1:${service_port + 1}`
}
