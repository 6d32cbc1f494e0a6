/** Keys that came without encryption could be anybody's, unless they come from this machine. */
export function isIssuer(url: URL): boolean {
  return url.protocol === 'https:' || ['localhost', '127.0.0.1'].includes(url.hostname)
}
