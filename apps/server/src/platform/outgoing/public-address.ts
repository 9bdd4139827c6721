import { BlockList, isIP } from 'node:net'

/** What the registries of IANA for special-purpose addresses (RFC 6890 and later) say is not for the whole network. */
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
/** All that is public in version 6 is in here: neither loopback, link-local, unique-local, multicast nor what maps version 4. */
const GLOBAL_V6 = ['2000::/3']
/** Parts of it that are not, among them those that carry an address of version 4: Teredo and 6to4. */
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

/** Whether an IP address can be that of a stranger's machine: not of this one, not of its networks, not of nobody. */
export const isPublicAddress = (address: string): boolean => {
  const [bare = ''] = address.split('%')
  const family = isIP(bare)
  if (family === 4) return !specialV4.check(bare, 'ipv4')
  return family === 6 && globalV6.check(bare, 'ipv6') && !specialV6.check(bare, 'ipv6')
}
