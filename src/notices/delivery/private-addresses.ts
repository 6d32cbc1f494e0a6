import { invariant } from '../../engine/ground/invariant.ts'
/**
 * IPv4 networks that are not public: the IANA special-purpose registry, and 168.63.129.16, a service address
 * of Azure's hosts.
 */
const IPV4_NETWORKS = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
].map(ipv4Network)

/** IPv6 networks that are not public, or that lead to IPv4 addresses. */
const IPV6_NETWORKS = [
  '::/96',
  '::ffff:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
].map(ipv6Network)

/** Whether an address from DNS must not be called. True also for an address that cannot be parsed. */
export function isPrivateAddress(address: string): boolean {
  if (!address.includes(':')) {
    const value = ipv4Value(address)
    return (
      value === null ||
      IPV4_NETWORKS.some((network) => value >> network.shift === network.value >> network.shift)
    )
  }
  const value = ipv6Value(address)
  return (
    value === null ||
    IPV6_NETWORKS.some((network) => value >> network.shift === network.value >> network.shift)
  )
}

type Network = { value: bigint; shift: bigint }

function ipv4Network(text: string): Network {
  const [address = '', length = ''] = text.split('/')
  return {
    value: invariant(ipv4Value(address), 'an IPv4 network has an address'),
    shift: 32n - BigInt(length),
  }
}

function ipv6Network(text: string): Network {
  const [address = '', length = ''] = text.split('/')
  return {
    value: invariant(ipv6Value(address), 'an IPv6 network has an address'),
    shift: 128n - BigInt(length),
  }
}

function ipv4Value(text: string): bigint | null {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255)) return null
  return parts.reduce((value, part) => value * 256n + BigInt(part), 0n)
}

function ipv6Value(text: string): bigint | null {
  const [head = '', tail, ...rest] = text.split('::')
  if (rest.length > 0) return null
  const left = groupsOf(head)
  const right = tail === undefined ? [] : groupsOf(tail)
  if (left === null || right === null) return null
  const missing = 8 - left.length - right.length
  if (tail === undefined ? missing !== 0 : missing < 0) return null
  return [...left, ...Array<bigint>(missing).fill(0n), ...right].reduce(
    (value, group) => value * 65_536n + group,
    0n,
  )
}

/** The 16-bit groups of a part of an address; the last two may be written as an IPv4 address. */
function groupsOf(text: string): bigint[] | null {
  if (text === '') return []
  const groups: bigint[] = []
  for (const part of text.split(':')) {
    if (part.includes('.')) {
      const value = ipv4Value(part)
      if (value === null) return null
      groups.push(value >> 16n, value & 65_535n)
    } else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(BigInt(`0x${part}`))
    else return null
  }
  return groups
}
