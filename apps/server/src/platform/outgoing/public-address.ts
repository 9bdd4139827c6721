import { BlockList, isIP } from 'node:net'

/**
 * Address ranges that are not globally reachable, from the IANA registries of special-purpose addresses (RFC 6890 and later).
 */
const SPECIAL_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
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
]
/**
 * The range that contains every public IPv6 address, and none that is loopback, link-local, unique-local, multicast or
 * IPv4-mapped.
 */
const GLOBAL_V6 = ['2000::/3']
/** Parts of `GLOBAL_V6` that are not public, including ranges that embed an IPv4 address: Teredo and 6to4. */
const SPECIAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const listOf = (subnets: readonly string[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [network = '', bits] = subnet.split('/')
    list.addSubnet(network, Number(bits), family)
  }
  return list
}
const specialV4 = listOf(SPECIAL_V4, 'ipv4')
const globalV6 = listOf(GLOBAL_V6, 'ipv6')
const specialV6 = listOf(SPECIAL_V6, 'ipv6')

/**
 * Whether an IP address can belong to a machine on the public internet. False for this machine, its networks and reserved
 * ranges.
 */
export const isPublicAddress = (address: string): boolean => {
  const [bare = ''] = address.split('%')
  const family = isIP(bare)
  if (family === 4) return !specialV4.check(bare, 'ipv4')
  return family === 6 && globalV6.check(bare, 'ipv6') && !specialV6.check(bare, 'ipv6')
}
