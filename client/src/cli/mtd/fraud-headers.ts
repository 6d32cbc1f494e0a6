import { VERSION } from '../../version.ts'
import type { Device } from './device.ts'

/**
 * The headers that the law asks of software that calls HMRC (fraud prevention specification 3.1), for the
 * connection method OTHER_DIRECT: a program without a window that connects to HMRC itself. Two are left out,
 * because there is nothing to say: Gov-Client-Multi-Factor and Gov-Vendor-License-IDs.
 */
export function fraudHeaders(device: Device, product: string, now: Date): Record<string, string> {
  const headers = {
    'Gov-Client-Connection-Method': 'OTHER_DIRECT',
    'Gov-Client-Device-ID': device.id,
    'Gov-Client-Local-IPs': listOf(device.ips),
    'Gov-Client-Local-IPs-Timestamp': device.ips.length === 0 ? '' : now.toISOString(),
    'Gov-Client-MAC-Addresses': listOf(device.mac_addresses),
    'Gov-Client-Timezone': zoneOf(device.minutes_ahead),
    'Gov-Client-User-Agent': pairsOf({
      'os-family': device.os,
      'os-version': device.os_version,
      'device-manufacturer': device.manufacturer,
      'device-model': device.model,
    }),
    'Gov-Client-User-IDs': pairsOf({ os: device.user }),
    'Gov-Vendor-Product-Name': encoded(product),
    'Gov-Vendor-Version': pairsOf({ 'tax-compliance': VERSION }),
  }
  // No header may be empty, and none may have a placeholder.
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''))
}

/** As RFC 3986 has it: `encodeURIComponent` leaves some reserved signs. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function listOf(values: readonly string[]): string {
  return values.map(encoded).join(',')
}

function pairsOf(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .join('&')
}

/** `UTC+01:00` */
function zoneOf(minutes_ahead: number): string {
  const minutes = Math.abs(minutes_ahead)
  const two = (number: number) => String(number).padStart(2, '0')
  return `UTC${minutes_ahead < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
